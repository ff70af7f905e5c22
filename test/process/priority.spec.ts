import { spawn } from 'node:child_process';
import { getPriority } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from '@jest/globals';
import { Program } from '../support/process.js';
import { LINUX } from '../support/requirements.js';

const PRIORITY = pathToFileURL(resolve('dist/src/lib/processes/priority.js')).href;
/** Says the priorities of its threads before and after it has used 0.2 s of CPU time. */
const SOURCE = `
  import { readdirSync } from 'node:fs';
  import { getPriority } from 'node:os';
  import { setTimeout } from 'node:timers/promises';
  import { lowerPriority, lowerPriorityAfter } from '${PRIORITY}';
  const priorities = () => [...new Set(readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread))))];
  lowerPriority(10);
  const isLowered = lowerPriorityAfter(0.2, 19);
  console.log(JSON.stringify([isLowered(), priorities()]));
  while (!isLowered()) {
    await setTimeout(1);
    for (const until = process.cpuUsage().user + 10_000; process.cpuUsage().user < until;);
  }
  lowerPriority(5);
  console.log(JSON.stringify([isLowered(), priorities()]));
`;

LINUX.describe('a process that somebody waits for', () => {
  LINUX.it('makes way with all of its threads once it has worked for a while', async () => {
    const program = new Program(spawn(process.execPath, ['--input-type=module', '-e', SOURCE]));
    const before = Math.max(10, getPriority());
    expect(await program.ended).toMatchObject({
      stdout: `[false,[${before}]]\n[true,[19]]\n`,
      stderr: '',
    });
  });
});
