import { BODIES } from './loads/bodies.js';
import { LIST } from './loads/list.js';
import { PASSWORDS } from './loads/passwords.js';
import { QUESTIONS } from './loads/questions.js';
import { SUMMARIES } from './loads/summaries.js';
import { TRANSCRIPTS } from './loads/transcripts.js';
import { UPLOADS } from './loads/uploads.js';

/**
 * What the heavy user does, over `connections` at once. `prepare(world)` returns the function that each connection calls
 * repeatedly, with a client, the connection's number and a call counter; it resolves to a reply. Any reply
 * counts as done, including errors. `measures`: additional measurements of the good user; `judged`:
 * whether the good user's latencies must meet the goal.
 */
export const LOADS = [
  ...LIST,
  ...SUMMARIES,
  ...BODIES,
  ...TRANSCRIPTS,
  ...UPLOADS,
  ...QUESTIONS,
  ...PASSWORDS,
].map((load) => ({ connections: 8, measures: [], judged: true, ...load }));

export const loadOf = (id) => LOADS.find((load) => load.id === id);

/** The loads in a list such as `1,3a`, where a number selects all that start with it; null if one is unknown. */
export function loadsNamed(text) {
  const found = text
    .split(',')
    .map((name) => LOADS.filter(({ id }) => id === name || id.replace(/[a-z]$/, '') === name));
  if (found.some((loads) => loads.length === 0)) return null;
  return LOADS.filter((load) => found.flat().includes(load));
}
