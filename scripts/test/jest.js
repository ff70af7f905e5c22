import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../prepare.js';
import { ProcessGroup } from './process-group.js';
import { costs, filesOverBudget, stillOverBudget, totalOverBudget } from './budget.js';
import { CpuMeter } from './cpu.js';
import { unansweredRoutes } from './routes.js';
import { LONG } from './selection.js';
import { buildShared } from './shared.js';
import { totalsOf } from './totals.js';

const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
/** Tests must not time out at a breakpoint. */
const DEBUGGING_TIMEOUT_MS = 24 * 60 * 60 * 1000;

/** Runs the selected tests; returns the exit status: 0 if some ran and none failed. Files left in `scratch` may be removed. */
export async function runJest({ selection, scratch, databaseUrl, signal }) {
  await buildShared();
  const run = (jestArguments) => runOnce({ jestArguments, scratch, databaseUrl, signal });
  const { status, report, used, unanswered } = await run(selection.jestArguments);
  const unmet = [];
  if (selection.isWhole && status === 0) {
    const alone = (file) => run(['--runTestsByPath', file]);
    unmet.push(...unanswered, ...totalOverBudget(used, report));
    unmet.push(...(await stillOverBudget(filesOverBudget(used, report), alone)));
  }
  if (signal.aborted) return 1;
  const { passed, lines } = totalsOf(report, status, {
    filtersByName: selection.filtersByName,
    leftOut: selection.leavesOutLong ? longTests() : [],
    costs: costs(used),
    unmet,
  });
  process.stdout.write(`${lines.join('\n')}\n`);
  return passed ? 0 : 1;
}

/** Runs Jest; returns its exit status, its report or null, the CPU seconds used, and a line for each route that was never answered. */
async function runOnce({ jestArguments, scratch, databaseUrl, signal }) {
  const report = join(scratch, 'report.json');
  const temporary = join(scratch, 'tmp');
  const routes = join(scratch, 'routes');
  const cpu = join(scratch, 'cpu');
  rmSync(report, { force: true });
  for (const folder of [routes, cpu]) rmSync(folder, { recursive: true, force: true });
  for (const folder of [temporary, routes, cpu]) mkdirSync(folder, { recursive: true });
  const meter = new CpuMeter(scratch);
  const { inspector, debugging } = debuggingOf(process.env.INSPECT_PORT);
  const group = new ProcessGroup(
    [
      ...inspector,
      '--experimental-vm-modules',
      '--no-warnings',
      // What a test leaves behind dies young: with the default of 16 MB, collecting it takes some 8 % more CPU time.
      '--max-semi-space-size=64',
      JEST,
      '--json',
      `--outputFile=${report}`,
      ...debugging,
      ...jestArguments,
    ],
    {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        MRS_TEST_PREPARED: 'true',
        ...(databaseUrl && { MRS_TEST_DATABASE_URL: databaseUrl }),
        TMPDIR: temporary,
        TMP: temporary,
        TEMP: temporary,
        MRS_TEST_ROUTES: routes,
        MRS_TEST_CPU: cpu,
      },
    },
  );
  const status = await group.endedUnless(signal);
  const used = meter.stop(cpu);
  return {
    status,
    report: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null,
    used,
    unanswered: unansweredRoutes(routes),
  };
}

function longTests() {
  const files = readdirSync(join(ROOT, LONG), { recursive: true }).filter((name) => name.endsWith('spec.ts'));
  return [`not run: the ${files.length} files in ${LONG}, which take long (npm run test:long)`];
}

function debuggingOf(port) {
  if (!port) return { inspector: [], debugging: [] };
  return {
    inspector: [`--inspect-brk=127.0.0.1:${port}`],
    debugging: ['--runInBand', `--testTimeout=${DEBUGGING_TIMEOUT_MS}`],
  };
}
