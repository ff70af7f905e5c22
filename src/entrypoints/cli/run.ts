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
    // Commander has said what was wrong, or has shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`${explain(error)}\n`);
    return 1;
  }
}

/** A mistake of the user is one line; anything else comes with its stack. */
function explain(error: unknown): string {
  if (error instanceof WorkspaceError || error instanceof StartError || error instanceof ServiceError) {
    return error.message;
  }
  return (error as Error).stack ?? String(error);
}
