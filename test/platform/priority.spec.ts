import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const MODULE = fileURLToPath(new URL('../../dist/src/platform/priority.js', import.meta.url));

it('a process that was started with the lowest priority keeps it, which only root could raise', () => {
  const code = `
    import { constants, getPriority, setPriority } from 'node:os';
    import { lowerPriority } from ${JSON.stringify(MODULE)};
    setPriority(constants.priority.PRIORITY_LOW);
    lowerPriority();
    console.log(getPriority());`;
  const args = ['--input-type=module', '--eval', code];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('19\n');
});
