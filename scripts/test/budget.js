import { say } from '../prepare.js';

/** CPU seconds that `npm test` may take with what npm installs: in all, and for each test file. See `CpuMeter`. */
const WHOLE = 440;
const FILE = 6;
/** The same code took 345 to 515 on machines of one kind, although adjusted to their speed; single files differ by more. */
const TOLERANCE = { whole: 1.4, file: 1.5 };

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
 * The files over their budgets, which are those of a run with npm alone, each with a line that says so.
 *
 * @param {{ files: readonly { file: string, seconds: number }[] }} used
 * @param {Report} report
 */
export function filesOverBudget({ files }, report) {
  if (hasMore(report)) return [];
  return files.flatMap(({ file, seconds }) => {
    const line = tooDear(file, seconds, FILE, TOLERANCE.file);
    return line ? [{ file, line }] : [];
  });
}

/**
 * Runs these files again, each with `alone`, and returns a line for each that is over its budget again, or fails: beside others, a file
 * also pays for the garbage of the files that its process ran before.
 *
 * @param {readonly { file: string, line: string }[]} files
 * @param {(file: string) => Promise<{ status: number, used: { files: readonly { file: string, seconds: number }[] }, report: Report }>} alone
 */
export async function stillOverBudget(files, alone) {
  const lines = [];
  for (const { file, line } of files) {
    say(`${line}; running it again alone...`);
    const { status, used, report } = await alone(file);
    if (status !== 0) lines.push(`failed when run again alone: ${file}`);
    lines.push(...filesOverBudget(used, report).map((again) => again.line));
  }
  return lines;
}

/**
 * A line if all files together are over their budget.
 *
 * @param {{ total: number, files: readonly object[] }} used
 * @param {Report} report
 */
export function totalOverBudget({ total, files }, report) {
  if (hasMore(report) || files.length === 0) return [];
  const line = tooDear('all files', total, WHOLE, TOLERANCE.whole);
  return line ? [line] : [];
}

/**
 * @typedef {{ testResults: readonly { assertionResults: readonly { status: string, fullName: string }[] }[] } | null} Report
 *   output of `jest --json`
 * @param {Report} report
 */
function hasMore(report) {
  const tests = (report?.testResults ?? []).flatMap(({ assertionResults }) => assertionResults);
  return tests.some(({ status, fullName }) => status === 'passed' && HAS_MORE.test(fullName));
}

function tooDear(what, seconds, budget, tolerance) {
  if (seconds <= budget * tolerance) return null;
  return `over budget: ${what} took ${seconds.toFixed(1)} CPU seconds, not ${budget} (scripts/test/budget.js)`;
}
