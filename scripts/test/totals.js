// Turns the report of a Jest run into the final lines of `npm test`.

/** Written into the name of a test by `test/support/requirements.ts`. */
const MISSING = /\[needs ([^\]:]+): ([^\]]+)\]/g;

/**
 * `report`: output of `jest --json`, null if there is none; `status`: Jest's exit status; `filtersByName`: tests were selected by
 * name, so those that did not run need no reason; `costs`: lines about what the run took; `leftOut`: lines about tests that were
 * deliberately not run; `unmet`: what else a whole run demands, which is meaningful only if all tests passed.
 *
 * @param {object | null} report
 * @param {number} status
 * @param {{ filtersByName?: boolean, costs?: readonly string[], leftOut?: readonly string[], unmet?: readonly string[] }} [options]
 */
export function totalsOf(
  report,
  status,
  { filtersByName = false, costs = [], leftOut = [], unmet = [] } = {},
) {
  const suites = report?.testResults ?? [];
  const tests = suites.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter((test) => test.status === 'passed').length;
  const notRun = tests.filter((test) => test.status === 'pending' || test.status === 'todo');
  const excused = notRun.filter((test) => missingFor(test) !== '');

  const problems = suites.filter(couldNotRun).map(({ name }) => `could not run: ${name}`);
  if (!filtersByName) {
    const unexcused = notRun.filter((test) => missingFor(test) === '');
    problems.push(...unexcused.map(({ fullName }) => `skipped without a reason: ${fullName}`));
  }
  let failed = tests.filter((test) => test.status === 'failed').length + problems.length;
  if (failed === 0 && (status !== 0 || passed === 0)) {
    problems.push(passed === 0 ? 'no test was run' : `Jest ended with status ${status}`);
    failed = 1;
  }
  if (failed === 0) {
    problems.push(...unmet);
    failed = unmet.length;
  }
  return {
    passed: failed === 0,
    lines: [
      ...costs,
      ...[...countBy(excused, missingFor)].map(
        ([missing, count]) =>
          `skipped: ${count} ${count === 1 ? 'test that needs' : 'tests that need'} ${missing}`,
      ),
      ...leftOut,
      ...problems,
      `Tests: ${passed} passed, ${failed} failed, ${excused.length} skipped`,
    ],
  };
}

/** The file does not load, or failed outside any test. */
function couldNotRun({ status, assertionResults }) {
  return status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
}

function missingFor({ fullName }) {
  return [...fullName.matchAll(MISSING)].map(([, name, reason]) => `${name} (${reason})`).join(' and ');
}

function countBy(items, keyOf) {
  const counts = new Map();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
