import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { commandLine } from '../support/command-line.js';

const COMMAND_LINE = 'dist/src/entrypoints/cli/main.js';

describe('mrs completion', () => {
  const printed = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await commandLine({}, 'completion', ...args);
    expect([status, stderr]).toEqual([0, '']);
    return stdout;
  };
  const offered = async (...words: string[]): Promise<string[]> =>
    (await printed('bash', '--', ...words)).split('\n').slice(0, -1);

  it('offers commands, options and their values', async () => {
    expect(await offered('rec')).toEqual(['recordings']);
    expect(await offered('users', '')).toEqual([
      'list',
      'create',
      'update',
      'sign-in-link',
      'delete',
      'erase',
    ]);
    expect(await offered('users', 'update', '--pl')).toEqual(['--plan']);
    expect(await offered('--quiet', 'users', 'update', '--plan', '')).toEqual(['FREE', 'PRO']);
    expect(await offered('share', 'ID', '--permission', 'd')).toEqual(['download']);
    expect(await offered('completion', 'z')).toEqual(['zsh']);
    expect(await offered('orgs', 'list', '--q')).toEqual(['--quiet']);
    // Then the shell completes names of files.
    expect(await offered('recordings', 'upload', 'meet')).toEqual([]);
    expect(await offered('users', 'create', '--name', '-')).toEqual([]);
  });

  it('lets bash complete words', async () => {
    const line = `mrs() { ${process.execPath} ${COMMAND_LINE} "$@"; }
      COMP_WORDS=(mrs users update --plan ''); COMP_CWORD=4; _mrs; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync('bash', ['-c', `${await printed('bash')}\n${line}`], { encoding: 'utf8' });
    expect(stdout).toBe('FREE\nPRO\n');
  });

  it('has descriptions for zsh and fish', async () => {
    expect(await printed('zsh')).toMatch(/^#compdef mrs\n[^]*\(mrs completion zsh -- /);
    expect(await printed('zsh', '--', 'users', 'l')).toBe('list:List all users, newest first\n');
    expect(await printed('fish')).toContain('(mrs completion fish -- ');
    expect(await printed('fish', '--', 'users', 'l')).toBe('list\tList all users, newest first\n');
  });

  it('names the shells', async () => {
    const { status, stderr } = await commandLine({}, 'completion', 'tcsh');
    expect([status, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish.')]);
  });
});
