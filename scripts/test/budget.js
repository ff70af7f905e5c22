/** CPU seconds that a whole `npm test` may take, in all and a file, without what more than npm would install. See `CpuMeter`. */
const WHOLE = 440;
const FILE = 6;
/** Two runs of the same differ by as much. */
const TOLERANCE = 1.25;

/** Files that may take more, with their seconds and the reason. This list may only shrink. */
export const LISTED = {};

const DEAREST = 10;

/** The dearest files and the total. */
export function costs({ total, files }) {
  if (files.length === 0) return [];
  const dearest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, DEAREST);
  return [
    'CPU seconds:',
    ...dearest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(8)}  ${file}`),
    `${total.toFixed(1).padStart(8)}  in all`,
  ];
}

/** What is over its budget. */
export function overBudget({ total, files }) {
  const over = files.flatMap(({ file, seconds }) => {
    const budget = LISTED[file]?.seconds ?? FILE;
    return seconds > budget * TOLERANCE ? [tooDear(file, seconds, budget)] : [];
  });
  return total > WHOLE * TOLERANCE ? [...over, tooDear('all files', total, WHOLE)] : over;
}

const tooDear = (what, seconds, budget) =>
  `over budget: ${what} took ${seconds.toFixed(1)} CPU seconds instead of ${budget}; see scripts/test/budget.js`;
