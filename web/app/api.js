import { signal } from '@preact/signals';
import { ApiError, ConnectionError, MeetingRecordings, TimeoutError } from 'meeting-recording-client';
import { facts } from './facts.js';
import { t } from './text.js';
import { ERRORS } from './texts/errors.js';

/** Whether the session has ended; the page then offers to sign in again, and keeps what was typed. */
export const hasEnded = signal(false);
/** Whether there is no network, or the last request reached nobody. */
export const isOffline = signal(false);
const csrf = signal(facts.csrf);
addEventListener('offline', () => (isOffline.value = true));
addEventListener('online', () => (isOffline.value = false));

/** The client of the API; all that the library does goes through it. */
export const api = new MeetingRecordings({
  baseUrl: location.origin + facts.path,
  apiKey: null,
  csrfToken: () => csrf.value,
  fetch: send,
});

let isLeaving = false;
addEventListener('pagehide', () => (isLeaving = true));
addEventListener('pageshow', () => (isLeaving = false));

/** @param {Request} request */
async function send(request) {
  try {
    // What is sent when the page is left has to outlive it.
    const response = await (isLeaving ? fetch(request, { keepalive: true }) : fetch(request));
    isOffline.value = !navigator.onLine;
    if (response.status === 401) hasEnded.value = true;
    return response;
  } catch (error) {
    if (!request.signal.aborted) isOffline.value = true;
    throw error;
  }
}

/** Begins with the session that the browser has now. Returns its user. */
export async function loadMe() {
  const me = await api.get('/me');
  csrf.value = me.session?.csrf_token ?? '';
  hasEnded.value = false;
  return me;
}

/** What went wrong and what to do, for people. @param {unknown} error */
export function explain(error) {
  if (error instanceof ApiError) return explainDetail(error);
  if (error instanceof ConnectionError || error instanceof TimeoutError) return t(ERRORS.CONNECTION);
  return t(ERRORS.UNEXPECTED);
}

/** The same of an error within a reply, as of one of many recordings. @param {{ code: string, message: string }} detail */
export function explainDetail({ code, message }) {
  const known = ERRORS[code];
  return known ? t(known) : message;
}

/** Whether an error says that something is not there, or not for this user. @param {unknown} error */
export const isGone = (error) => error instanceof ApiError && (error.status === 404 || error.status === 403);
