import { Argument, type Command } from 'commander';
import { withoutResult } from '../program-parts.js';
import type { Shell } from './completion.command.js';

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

export function addCompletion(cli: Command): void {
  withoutResult(
    cli,
    'completion',
    'Print a script with which a shell completes commands, options and their values. Its first line says where it belongs.',
  )
    .addArgument(new Argument('<shell>', 'shell').choices(SHELLS))
    .action(async (shell: Shell) => (await import('./completion.command.js')).printCompletion(shell, cli));
}
