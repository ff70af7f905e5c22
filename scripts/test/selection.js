import { availableParallelism } from 'node:os';

/** Folders of tests that need neither a database nor a service. */
const FAST = ['test/checks', 'test/contract', 'test/lib', 'test/platform', 'test/policy', 'test/unit'];
/** Many of them wait for a child process or a time limit. */
const MORE_WORKERS = `--maxWorkers=${availableParallelism() + 1}`;
/** Folder of tests that inherently take long: crashes, large media, waiting for an expiry. */
export const LONG = 'test/long';

const MODES = ['--conditional', '--fast', '--long', '--watch'];
const BY_NAME = /^(-t|--testNamePattern)(=|$)/;

/** The tests selected by the arguments of `scripts/test.js`. */
export function readSelection(args) {
  const [conditional, fast, long, watches] = MODES.map((mode) => args.includes(mode));
  const given = args.filter((arg) => !MODES.includes(arg));
  const hasFiles = given.some((arg, at) => !arg.startsWith('-') && !BY_NAME.test(given[at - 1]));
  const leavesOutLong = !hasFiles && !fast && !long;
  return {
    isWhole: args.length === 0,
    watches,
    needsDatabase: !fast,
    leavesOutLong,
    /** Tests are selected by name, so those that do not run need no reason. */
    filtersByName: conditional || given.some((arg) => BY_NAME.test(arg)),
    jestArguments: [
      ...given,
      ...(fast && !hasFiles ? [...FAST, MORE_WORKERS] : []),
      ...(long && !hasFiles ? [LONG] : []),
      ...(conditional ? CONDITIONAL : []),
      ...(leavesOutLong ? ['--testPathIgnorePatterns', '/node_modules/', `<rootDir>/${LONG}/`] : []),
    ],
  };
}

/** Tests whose name contains a requirement, except Linux: the full run has either met it already or never can. */
const CONDITIONAL = [
  '--findRelatedTests',
  'test/support/requirements.ts',
  '--testNamePattern',
  '\\[needs (?!Linux)',
];
