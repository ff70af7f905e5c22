import { ask } from './asks.js';
import { LARGE } from './data.js';

const BODY = '{"permission":"view"}';
/** Requests of one load that creates links: about as many as the faster side handles in the time. */
const LINKS_PER_SECOND = 2_000;
const MIN_LINKS = 16;

const share = (id) => ask('editor', `/${id}/share-link`, { method: 'POST', body: BODY });
const all = (requests) => ({ compared: requests, load: (time) => ({ requests, seconds: time }) });

/**
 * The requests sent to both sides under load. `compared`: requests whose replies are compared beforehand;
 * `load(time, round, side)`: what is sent; `before`: creates what that needs; `after`: removes what it created.
 */
export function reachCases({ samples, seconds, client, asker, sides }) {
  const { sliceOf, spare } = linkSlices(samples.unshared, seconds);
  return [
    {
      name: 'GET /recordings, first page, personal owner',
      target: 0.8,
      ...all([ask('personal', '')]),
    },
    {
      name: 'the same, EDITOR with folders, large organization',
      target: 0.75,
      ...all([ask('editor', `?organization_id=${LARGE}`)]),
    },
    {
      name: 'GET /recordings/:id',
      target: 0.8,
      ...all(samples.read.map((id) => ask('editor', `/${id}`))),
    },
    {
      name: 'GET .../transcript, 50 chunks',
      target: 1,
      ...all(samples.long.map((id) => ask('editor', `/${id}/transcript?limit=50`))),
    },
    {
      name: 'POST .../share-link, created',
      target: 0.8,
      // The first side creates it, and the other returns it.
      compared: spare.map(share),
      load: (time, round, side) => ({
        requests: sliceOf(time, round, side).map(share),
        once: true,
        status: 201,
      }),
      after: () => deleteLinks(client, samples.unshared),
    },
    {
      name: 'POST .../share-link, requested again',
      target: 0.75,
      compared: samples.read.map(share),
      before: async () => {
        for (const id of samples.read) await asker.answer(sides[0], share(id));
      },
      load: (time) => ({ requests: samples.read.map(share), seconds: time, status: 200 }),
    },
  ];
}

/** Recordings without a link, different ones for each side, plus a few to compare replies. */
function linkSlices(unshared, seconds) {
  const spare = unshared.slice(0, MIN_LINKS);
  const rest = unshared.slice(MIN_LINKS);
  const half = Math.floor(rest.length / 2);
  const size = Math.max(MIN_LINKS, Math.min(Math.round(LINKS_PER_SECOND * seconds), half));
  const available = Math.max(1, Math.floor(rest.length / size));
  const sliceOf = (time, round, side) => {
    const first = ((2 * round + side) % available) * size;
    return rest.slice(first, first + Math.max(MIN_LINKS, Math.min(size, LINKS_PER_SECOND * time)));
  };
  return { sliceOf, spare };
}

export async function deleteLinks(client, recordingIds) {
  await client.query('DELETE FROM share_links WHERE recording_id = ANY ($1)', [recordingIds]);
  await client.query('VACUUM share_links');
}
