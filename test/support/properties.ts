/** Options of a property over random worlds: `FC_SEED=... FC_PATH=...` reproduce a printed failure; `FC_RUNS` sets how many. */
export function propertyOptions(usual: number, baseMs: number, eachMs: number) {
  const { FC_RUNS: runs = usual, FC_SEED: seed, FC_PATH: path } = process.env;
  const numRuns = Number(runs);
  return {
    numRuns,
    noBias: true,
    interruptAfterTimeLimit: baseMs + numRuns * eachMs,
    ...(seed && { seed: Number(seed) }),
    ...(path && { path }),
  };
}
