import { segmentsOf } from '../fairness/texts.js';
import { wav } from './wav.js';
import { addRecordings, addUploads } from './writers.js';

/** Requests of one load: about as many as the faster side handles in the time. */
const PER_SECOND = 1_200;
const FEWEST = 32;
/** The limit of open uploads of each writer is 20. */
const CREATED_EACH = 18;
const SENT_MEDIA_BYTES = 1_000_000;
/** An hour of speech. */
const SEGMENTS = 700;

/** The service decides, locks and writes in twice as many statements; triggers cost both sides the same. */
const STEP_BY_STEP = 0.35;
/** An upload is begun and completed by a transaction each, which wait for the disk. */
const TWO_COMMITS = 3.5;
/** The service parses each file in a confined process, whose start takes most of the time; by hand, there is none. */
const CONFINED = 8;

const JSON_BODY = { 'content-type': 'application/json' };

/** A request of one writer for a recording. */
const to =
  (method, path, body, headers = JSON_BODY) =>
  ({ id, key }) => ({
    method,
    path: `/api/v1/recordings/${id}${path}`,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : headers) },
    body,
  });

/**
 * What both sides are sent. `prepare(owners, amount, round)` adds recordings and returns the requests; `together`: over
 * 16 connections, and `target` is the least ratio of requests per second; otherwise one at a time, and it is the most
 * that the service may take as a multiple of the time by hand.
 */
export function writeCases({ client, writers, seconds }) {
  const amount = (time) =>
    Math.max(FEWEST, Math.min(writers.length * CREATED_EACH, Math.round(PER_SECOND * time)));
  const media = wav(SENT_MEDIA_BYTES);
  const transcript = JSON.stringify({ language: 'en', segments: segmentsOf(SEGMENTS, 1) });
  const oneByOne = Math.max(3, Math.round(10 * seconds));
  const onRecordings = (request) => async (owners, count, round) =>
    (await addRecordings(client, owners, count)).map((recording, n) => request(round, n)(recording));
  return [
    {
      name: 'POST /recordings',
      together: true,
      status: 201,
      target: STEP_BY_STEP,
      amount,
      prepare: async (owners, count, round) =>
        Array.from({ length: count }, (_, n) => ({
          method: 'POST',
          path: '/api/v1/recordings',
          headers: { authorization: `Bearer ${owners[n % owners.length].key}`, ...JSON_BODY },
          body: JSON.stringify({ title: `Weekly sync of customer ${round} and ${n}` }),
        })),
    },
    {
      name: 'PATCH /recordings/:id, the title',
      together: true,
      target: STEP_BY_STEP,
      amount,
      prepare: onRecordings((round, n) =>
        to('PATCH', '', JSON.stringify({ title: `Design review ${round} and ${n}` })),
      ),
    },
    {
      name: 'DELETE /recordings/:id',
      together: true,
      target: STEP_BY_STEP,
      amount,
      prepare: onRecordings(() => to('DELETE', '')),
    },
    {
      name: 'PUT .../media, 1 MB, one at a time',
      together: false,
      target: TWO_COMMITS,
      amount: () => oneByOne,
      prepare: async (owners, count) =>
        (await addUploads(client, owners, count)).map(
          to('PUT', '/media', media, { 'content-type': 'audio/wav' }),
        ),
    },
    {
      name: 'PUT .../transcript, one hour, one at a time',
      together: false,
      target: CONFINED,
      amount: () => oneByOne,
      prepare: onRecordings(() => to('PUT', '/transcript', transcript)),
    },
  ];
}
