import { CommanderError, type Command } from 'commander';
import { WorkspaceError } from '../../modules/workspace/workspace.error.js';
import { StartError } from '../../platform/config/settings.js';
import { ServiceError } from '../../platform/errors/service-error.js';
import { singleLine } from '../../lib/text.js';
import { CommandError, EXIT, exitStatusOf, type ExitStatus } from './exit-status.js';
import { setGlobalOptions } from './output.js';
import { program } from './program.js';

/** Fields that services name in messages, and the options they come from. */
const OPTIONS: Readonly<Record<string, string>> = {
  expires_at: '--expires-at',
  folder_id: '--folder',
  new_owner: '--new-owner',
  organization_id: '--organization',
};

/** What services do not find by an id that the command was given, in its option of this name or as its argument. */
const NOT_FOUND: Readonly<Record<string, { readonly option: string; readonly hint: string }>> = {
  ORGANIZATION_NOT_FOUND: { option: 'organization', hint: ' (orgs list)' },
  RECORDING_NOT_FOUND: { option: 'recording', hint: ' (recordings list)' },
  FOLDER_NOT_FOUND: { option: 'folder', hint: '' },
};

export async function run(args: readonly string[]): Promise<ExitStatus> {
  let called: Command | undefined;
  const cli = program().hook('preAction', (all, command) => {
    called = command;
    setGlobalOptions(all.opts());
  });
  try {
    await cli.parseAsync(args, { from: 'user' });
    return EXIT.success;
  } catch (error) {
    // Commander has already printed the error or the requested help.
    if (!(error instanceof CommanderError)) process.stderr.write(`error: ${explain(error, called)}\n`);
    return exitStatusOf(error);
  }
}

/** User errors are a single line; anything else is printed with its stack. */
function explain(error: unknown, called: Command | undefined): string {
  if (error instanceof ServiceError) return singleLine(notFoundBy(error, called) ?? inOptions(error));
  if (error instanceof WorkspaceError || error instanceof StartError || error instanceof CommandError)
    return error.message.split('\n').map(singleLine).join('\n');
  return (error as Error).stack ?? String(error);
}

function notFoundBy({ code }: ServiceError, called: Command | undefined): string | undefined {
  const { option, hint } = NOT_FOUND[code] ?? {};
  if (option === undefined) return undefined;
  const given = called?.opts<Record<string, unknown>>()[option] ?? called?.args[0];
  return `${String(given)}: there is no ${option} with this id${hint}`;
}

function inOptions({ code, message }: ServiceError): string {
  if (code !== 'VALIDATION_ERROR') return message;
  return message.replace(/\b[a-z]+_[a-z]+\b/g, (field) => OPTIONS[field] ?? field);
}
