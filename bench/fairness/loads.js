import { BODIES } from './loads/bodies.js';
import { LIST } from './loads/list.js';
import { MIXTURES } from './loads/mixtures.js';
import { PASSWORDS } from './loads/passwords.js';
import { QUESTIONS } from './loads/questions.js';
import { SUMMARIES } from './loads/summaries.js';
import { TRANSCRIPTS } from './loads/transcripts.js';
import { UPLOADS } from './loads/uploads.js';

/**
 * The loads of the heavy user, over `connections` at once. `prepare(world)` returns the function that each connection
 * calls repeatedly with a client, the connection's number and the number of earlier calls; it resolves to a reply. Any
 * reply counts, including errors. `measures`: additional operations measured for the good user; `judged`: whether the good
 * user's waits are held to the target; `ratio`: that target, the highest p99 as a multiple of its quiet value.
 */
export const LOADS = [
  ...LIST,
  ...SUMMARIES,
  ...BODIES,
  ...TRANSCRIPTS,
  ...UPLOADS,
  ...QUESTIONS,
  ...PASSWORDS,
  ...MIXTURES,
].map((load) => ({ connections: 8, measures: [], judged: true, ratio: 3, ...load }));

export const loadOf = (id) => LOADS.find((load) => load.id === id);

/** The loads of a list such as `1,3a`, where a number selects all its letters; null if one is unknown. */
export function loadsNamed(text) {
  const found = text
    .split(',')
    .map((name) => LOADS.filter(({ id }) => id === name || id.replace(/[a-z]$/, '') === name));
  if (found.some((loads) => loads.length === 0)) return null;
  return LOADS.filter((load) => found.flat().includes(load));
}
