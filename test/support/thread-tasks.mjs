/** Tasks for threads of the pool in tests. */
const loading = new Error().stack;

export default function work({ spin = 0, hoard = false, fail = null, answer = null, stack = false }) {
  const end = Date.now() + spin;
  while (Date.now() < end);
  if (hoard) {
    const kept = [];
    for (;;) kept.push(Array(1_000_000).fill(0.5));
  }
  if (fail) throw new TypeError(fail);
  return stack ? loading : answer;
}
