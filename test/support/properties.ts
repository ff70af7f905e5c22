import { configureGlobal } from 'fast-check';

/**
 * Everything of fast-check, which tests import from here. Its runs are the same each time, so that a change fails only
 * on its own mistakes; `FC_SEED=random` looks for new ones. `FC_SEED=... FC_PATH=...` reproduce a printed failure.
 */
export * from 'fast-check';
export { default } from 'fast-check';

const USUAL_SEED = 1;
const { FC_RUNS: runsGiven = 'x1', FC_SEED: seed = USUAL_SEED, FC_PATH: path } = process.env;

// Without a seed, fast-check takes a random one.
configureGlobal({ ...(seed !== 'random' && { seed: Number(seed) }), ...(path && { path }) });

/** How many runs: `FC_RUNS=5` says it for all tests, `FC_RUNS=x5` is five times as many as usual. */
export const runs = (usual: number): number =>
  runsGiven.startsWith('x') ? Math.ceil(usual * Number(runsGiven.slice(1))) : Number(runsGiven);

/** Options of a property over random worlds. */
export function propertyOptions(usual: number, baseMs: number, eachMs: number) {
  const numRuns = runs(usual);
  return { numRuns, noBias: true, interruptAfterTimeLimit: baseMs + numRuns * eachMs };
}
