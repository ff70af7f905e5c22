// What a run of Jest comes to, from its report: the lines that `npm test` ends with.

/** Written into the name of a test by `test/support/requirements.ts`. */
const MISSING = /\[needs ([^\]:]+): ([^\]]+)\]/g;

/**
 * `report`: what `jest --json` wrote, null when it wrote nothing; `status`: how Jest ended. With `filtered`, tests that were left
 * out by name may be among those that did not run.
 */
export function totalsOf(report, status, { filtered = false } = {}) {
  const suites = report?.testResults ?? [];
  const tests = suites.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter((test) => test.status === 'passed').length;
  const notRun = tests.filter((test) => test.status === 'pending' || test.status === 'todo');
  const excused = notRun.filter((test) => missingFor(test) !== '');

  const problems = suites.filter(cannotRun).map(({ name }) => `cannot run: ${name}`);
  if (!filtered) {
    const unexcused = notRun.filter((test) => missingFor(test) === '');
    problems.push(...unexcused.map(({ fullName }) => `skipped without a reason: ${fullName}`));
  }
  let failed = tests.filter((test) => test.status === 'failed').length + problems.length;
  if (failed === 0 && (status !== 0 || passed === 0)) {
    problems.push(passed === 0 ? 'no test was run' : `Jest ended with status ${status}`);
    failed = 1;
  }
  return {
    passed: failed === 0,
    lines: [
      ...[...countBy(excused, missingFor)].map(
        ([missing, count]) =>
          `skipped: ${count} ${count === 1 ? 'test that needs' : 'tests that need'} ${missing}`,
      ),
      ...problems,
      `Tests: ${passed} passed, ${failed} failed, ${excused.length} skipped`,
    ],
  };
}

/** Its file does not load, or it fails outside of any test. */
function cannotRun({ status, assertionResults }) {
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
