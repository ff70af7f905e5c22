import { Command } from 'commander';
import { addAudit } from './program/audit.js';
import { describeOption, leaf } from './program/command.js';
import { addDatabase } from './program/database.js';
import { addKeys } from './program/keys.js';
import { addOrganizations } from './program/organizations.js';
import { addRecordings } from './program/recordings.js';
import { addUsers } from './program/users.js';

const EXAMPLES = `
Examples:
  $ npm run -s cli -- users create --email ada@acme.test --name Ada --plan PRO
  $ npm run -s cli -- keys create --email ada@acme.test --name laptop
  $ npm run -s cli -- orgs create --name Acme --owner ada@acme.test
  $ npm run -s cli -- import workspace.json
  $ npm run -s cli -- recordings upload meeting.mp4 --email ada@acme.test --watch
  $ psql "$(npm run -s cli -- database url)"

The commands use the database and data folder of the service (DATABASE_URL, DATA_DIR), whether it is running or not.
Results go to standard output, everything else to standard error. With --json a command prints its result as one line of JSON.
Commands that delete something ask first on a terminal, unless --yes is given.
Exit status: 0 done, 1 failed, 2 wrong arguments, 3 refused, 4 not found.`;

/** The command line: `npm run -s cli -- COMMAND`. */
export function program(): Command {
  const cli = new Command('cli')
    .description(
      'Manage users, organizations, keys, recordings, workspaces and the database of the Meeting Recording Service.',
    )
    .addHelpText('after', EXAMPLES)
    .configureHelp({ optionDescription: describeOption })
    .showHelpAfterError('(use --help for usage)')
    .exitOverride();

  addUsers(cli);
  addOrganizations(cli);
  addKeys(cli);
  leaf(
    cli,
    'import',
    'Import a workspace file: users, organizations, recordings with media, transcripts and summaries. All or nothing. What differs from existing entries is listed and left as it is; running it twice changes nothing.',
  )
    .argument('<file>', 'workspace file (JSON); see docs/workspace-file.md')
    .action(async (file, output) => (await import('./workspace.commands.js')).importWorkspace(file, output));
  addRecordings(cli);
  addDatabase(cli);
  addAudit(cli);
  return cli;
}
