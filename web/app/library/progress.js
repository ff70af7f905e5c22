import { useEffect } from 'preact/hooks';
import { api } from '../api.js';
import { update } from './recordings.js';

/** @import { Row } from './recordings.js' */

const POLL_MS = 3_000;
const MAX = 100;
/** Those whose progress goes on without events. @type {Row['status'][]} */
const WORKING = ['UPLOADING', 'PROCESSING', 'TRANSCODING'];

/** Whether how far it is can be said. @param {Row} row */
export const isWorking = ({ status }) => WORKING.includes(status);

/** Keeps the progress of rows up to date while the page is seen, with one request for all of them. @param {readonly Row[]} rows */
export function useProgress(rows) {
  const days = rows.filter(isWorking).map(({ createdAt }) => createdAt.slice(0, 10));
  const [date_to = '', date_from = ''] = [days[0], days.at(-1)];
  useEffect(() => {
    if (!date_from) return undefined;
    const ending = new AbortController();
    const query = { status: WORKING, date_from, date_to, limit: MAX };
    const look = async () => {
      if (!document.hidden)
        update((await api.page('/recordings', { query, signal: ending.signal, retries: 0 })).data);
    };
    // The next round tries again; the frame says that there is no connection.
    const timer = setInterval(() => look().catch(() => undefined), POLL_MS);
    return () => {
      clearInterval(timer);
      ending.abort();
    };
  }, [date_from, date_to]);
}
