import { CommanderError } from 'commander';
import { WorkspaceError } from '../../modules/workspace/workspace.error.js';
import { StartError } from '../../platform/config/settings.js';
import { ServiceError } from '../../platform/errors/service-error.js';
import { singleLine } from '../../lib/text.js';
import { CommandError, EXIT, exitStatusOf, type ExitStatus } from './exit-status.js';
import { program } from './program.js';

/** Fields that services name in messages, and the options they come from. */
const OPTIONS: Readonly<Record<string, string>> = {
  expires_at: '--expires-at',
  folder_id: '--folder',
  new_owner: '--new-owner',
  organization_id: '--organization',
};

/** Runs one command; resolves to its exit status. */
export async function run(args: readonly string[]): Promise<ExitStatus> {
  try {
    await program().parseAsync(args, { from: 'user' });
    return EXIT.success;
  } catch (error) {
    // Commander has already printed the error or the requested help.
    if (!(error instanceof CommanderError)) process.stderr.write(`${explain(error)}\n`);
    return exitStatusOf(error);
  }
}

/** User errors are a single line; anything else is printed with its stack. */
function explain(error: unknown): string {
  if (error instanceof ServiceError) return singleLine(inOptions(error));
  if (error instanceof WorkspaceError || error instanceof StartError || error instanceof CommandError) {
    return error.message.split('\n').map(singleLine).join('\n');
  }
  return (error as Error).stack ?? String(error);
}

function inOptions({ code, message }: ServiceError): string {
  if (code !== 'VALIDATION_ERROR') return message;
  return message.replace(/\b[a-z]+_[a-z]+\b/g, (field) => OPTIONS[field] ?? field);
}
