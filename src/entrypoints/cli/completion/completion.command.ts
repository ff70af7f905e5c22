import type { Command } from 'commander';
import { bashCompletion } from './bash.js';
import { fishCompletion } from './fish.js';
import { completed } from './tree.js';
import { zshCompletion } from './zsh.js';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `completion SHELL`: generated from the commands themselves. */
export async function printCompletion(
  shell: keyof typeof SCRIPTS,
  _options: object,
  { parent }: Command,
): Promise<void> {
  process.stdout.write(SCRIPTS[shell](completed(parent!)));
}
