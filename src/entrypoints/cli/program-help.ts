import { examplesOf } from './examples.js';

const SHOWN = [
  'status',
  'users create',
  'keys create',
  'orgs create',
  'import',
  'recordings upload',
  'recordings search',
  'backup',
  'database url',
  'login',
  'ask',
];

/** What `--help` says about all commands. */
export const AFTER = `
Examples:
${SHOWN.map(
  (command) => `  $ ${examplesOf(command)[0]}
`,
).join('')}
The commands use the database and data folder of the service (DATABASE_URL, DATA_DIR), whether it is running or not. Those "on a server" use that of login, or of MRS_URL and MRS_API_KEY; commands that work on both, too, unless --host is given.
Results go to standard output, everything else to standard error. With --json a command prints its result as one line of JSON.
Commands that delete something ask first on a terminal, unless --yes is given.
Exit status: 0 done, 1 failed, 2 wrong arguments, 3 refused, 4 not found, 5 server unreachable.`;
