import 'reflect-metadata';
import { CommanderError } from 'commander';
import { StartError } from '../platform/config/settings.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { WorkspaceError } from '../modules/workspace/workspace.error.js';
import { program } from './program.js';

/** Mistakes of the user are told in their own words; anything else with its stack. */
function explain(error: unknown): string {
  if (error instanceof WorkspaceError || error instanceof StartError || error instanceof DomainError) {
    return error.message;
  }
  return (error as Error).stack ?? String(error);
}

// `... | head` closes the pipe when it has read enough; the command still has to let go of the database.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program().parseAsync(process.argv);
} catch (error) {
  // Commander has said what was wrong, or has shown the help that was asked for.
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
