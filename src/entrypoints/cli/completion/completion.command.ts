import type { Command } from 'commander';
import { bashCompletion } from './bash.js';
import { fishCompletion } from './fish.js';
import { completed, type Completed } from './tree.js';
import { zshCompletion } from './zsh.js';

export type Shell = 'bash' | 'zsh' | 'fish';

const SCRIPTS: Readonly<Record<Shell, (all: Completed) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** `completion SHELL`: generated from the commands themselves. */
export function printCompletion(shell: Shell, program: Command): void {
  process.stdout.write(SCRIPTS[shell](completed(program)));
}
