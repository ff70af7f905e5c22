import { configureGlobal } from 'fast-check';

/**
 * Everything of fast-check, which tests import from here. Its runs are the same each time, so that a change fails only on its own
 * mistakes; `FC_SEED=random` looks for new ones. `FC_SEED=... FC_PATH=...` reproduce a printed failure.
 */
export * from 'fast-check';
export { default } from 'fast-check';

const USUAL_SEED = 1;
const { FC_RUNS: runsGiven, FC_SEED: seed = USUAL_SEED, FC_PATH: path } = process.env;

// Without a seed, fast-check takes a random one.
configureGlobal({ ...(seed !== 'random' && { seed: Number(seed) }), ...(path && { path }) });

/** Options of a property over random worlds; `FC_RUNS` sets how many. */
export function propertyOptions(usual: number, baseMs: number, eachMs: number) {
  const numRuns = Number(runsGiven ?? usual);
  return { numRuns, noBias: true, interruptAfterTimeLimit: baseMs + numRuns * eachMs };
}
