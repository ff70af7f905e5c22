/** CPU seconds that `npm test` may take with what npm installs: in all, and for each test file. See `CpuMeter`. */
const WHOLE = 440;
const FILE = 6;
/** Two runs of the same code differ by as much, those of a single file by more. */
const TOLERANCE = { whole: 1.25, file: 1.5 };

/** Files that may take more: their CPU seconds, and why. The list may only shrink. */
export const LISTED = {
  'test/e2e/uploads/fetching/source-url-slow.e2e-spec.ts': {
    seconds: 8,
    reason: 'sources of several accounts are slow at once, and each is measured while it sends',
  },
};

const DEAREST = 10;

/** In the name of a test that needs more than npm installs, and has it. */
const HAS_MORE = /\[needs (?!Linux|root)[^\]:]+\]/;

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

/**
 * What is over its budget, which is that of a run with npm alone.
 *
 * @param {{ total: number, files: readonly { file: string, seconds: number }[] }} used
 * @param {{ testResults: readonly { assertionResults: readonly { status: string, fullName: string }[] }[] } | null} report output of `jest --json`
 */
export function overBudget({ total, files }, report) {
  const tests = (report?.testResults ?? []).flatMap(({ assertionResults }) => assertionResults);
  if (tests.some(({ status, fullName }) => status === 'passed' && HAS_MORE.test(fullName))) return [];
  const over = files.flatMap(({ file, seconds }) =>
    tooDear(file, seconds, LISTED[file]?.seconds ?? FILE, TOLERANCE.file),
  );
  return files.length === 0 ? [] : [...over, ...tooDear('all files', total, WHOLE, TOLERANCE.whole)];
}

function tooDear(what, seconds, budget, tolerance) {
  if (seconds <= budget * tolerance) return [];
  return [
    `over budget: ${what} took ${seconds.toFixed(1)} CPU seconds, not ${budget} (scripts/test/budget.js)`,
  ];
}
