import { CommanderError } from 'commander';
import { WorkspaceError } from '../../modules/workspace/workspace.error.js';
import { StartError } from '../../platform/config/settings.js';
import { ServiceError } from '../../platform/errors/service-error.js';
import { program } from './program.js';

/** Runs one command; resolves to its exit status. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await program().parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the error or the requested help.
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`${explain(error)}\n`);
    return 1;
  }
}

/** User errors are a single line; anything else is printed with its stack. */
function explain(error: unknown): string {
  if (error instanceof WorkspaceError || error instanceof StartError || error instanceof ServiceError) {
    return error.message;
  }
  return (error as Error).stack ?? String(error);
}
