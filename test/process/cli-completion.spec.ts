import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { commandLine } from '../support/command-line.js';

/** What bash offers for these words, of which the last is being typed. */
function offered(script: string, ...words: string[]): string[] {
  const typed = words.map((word) => `'${word}'`).join(' ');
  const line = `COMP_WORDS=(mrs ${typed}); COMP_CWORD=${words.length}; _mrs; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', `${script}\n${line}`], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

describe('mrs completion', () => {
  const scriptFor = async (shell: string): Promise<string> => {
    const { status, stdout, stderr } = await commandLine({}, 'completion', shell);
    expect([status, stderr]).toEqual([0, '']);
    return stdout;
  };

  it('lets bash complete commands, options and their values', async () => {
    const script = await scriptFor('bash');
    expect(offered(script, 'rec')).toEqual(['recordings']);
    expect(offered(script, 'users', '')).toEqual(['list', 'create', 'update', 'delete']);
    expect(offered(script, 'users', 'update', '--pl')).toEqual(['--plan']);
    expect(offered(script, '--quiet', 'users', 'update', '--plan', '')).toEqual(['FREE', 'PRO']);
    expect(offered(script, 'share', 'ID', '--permission', 'd')).toEqual(['download']);
    expect(offered(script, 'completion', 'z')).toEqual(['zsh']);
    expect(offered(script, 'orgs', 'list', '--q')).toEqual(['--quiet']);
    // Then bash completes names of files.
    expect(offered(script, 'recordings', 'upload', 'meet')).toEqual([]);
  });

  it('has the same for zsh and fish', async () => {
    const zsh = await scriptFor('zsh');
    expect(zsh).toMatch(/^#compdef mrs\n/);
    expect(zsh).toContain(`' users') items=('list:List all users, newest first' 'create:`);
    expect(zsh).toContain(`    ' share --permission') compadd -- view download; return ;;\n`);
    const fish = await scriptFor('fish');
    expect(fish).toContain(
      `complete -c mrs -f -n '__mrs_at users' -a list -d 'List all users, newest first'\n`,
    );
    expect(fish).toContain(`complete -c mrs -n '__mrs_in share' -l permission -x -a 'view download' -d `);
  });

  it('names the shells', async () => {
    const { status, stderr } = await commandLine({}, 'completion', 'tcsh');
    expect([status, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish.')]);
  });
});
