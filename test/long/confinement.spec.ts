import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Requirement } from '../support/requirements.js';

const WORLD = fileURLToPath(new URL('../support/confinement-world.mjs', import.meta.url));
/** Writable for every user, unlike the temporary folder of the tests. */
const SHARED = '/tmp';
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const NOT_PLAIN = 'a child process left something other than plain files';

interface Report {
  readonly look: Record<string, true | string> & { readonly environment: unknown };
  readonly memory: unknown;
  readonly cpu: string | null;
  readonly file: string;
  readonly files: string;
  readonly lingers: boolean;
  readonly lingersDetached: boolean;
  readonly symbolic: string;
  readonly hard: string;
  readonly unexpected: string;
  readonly package: object;
}

/** What a child tries: an isolated one can do nothing of it, one with limits only everything. */
const FORBIDDEN = [
  'signing key',
  'database',
  'other recording',
  "another child's file",
  'above its folder',
  'service environment',
  'service memory',
  'service signal',
  'other child environment',
  'other child memory',
  'other child signal',
  'network',
  'write a file of the service',
  'write its source',
];

const options = { encoding: 'utf8', env: { ...process.env, TMPDIR: SHARED } } as const;

/** Without root, a test of a level for root is not possible; as root, the others are run as another user. */
function command(root: boolean, ...line: string[]): [string, string[]] {
  const other = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'];
  const [program = '', ...rest] = isRoot && !root ? [...other, ...line] : line;
  return [program, rest];
}

function missing(level: string, root: boolean): string | null {
  if (process.platform !== 'linux') return `this is ${process.platform}`;
  if (root && !isRoot) return 'run by another user';
  const { status } = spawnSync(...command(root, 'test', '-r', WORLD), options);
  if (status !== 0) return 'another user cannot read this folder';
  if (level === 'limits') return null;
  const reason: unknown = JSON.parse(execFileSync(...command(root, process.execPath, WORLD, level), options));
  return reason === null ? null : String(reason).replaceAll(/[[\]:\n]/g, ' ');
}

describe.each([
  { level: 'isolated', user: 'root' },
  { level: 'isolated', user: 'another user' },
  { level: 'limits', user: 'another user' },
])('a child at the level $level of a service run by $user', ({ level, user }) => {
  const root = user === 'root';
  const can = level === 'limits' ? FORBIDDEN : [];
  const needed = new Requirement(`confinement "${level}"`, missing(level, root));
  const folders: string[] = [];
  let report: Report;

  needed.describe('taken over by a file', () => {
    beforeAll(() => {
      const folder = mkdtempSync(join(SHARED, 'mrs-confined-'));
      folders.push(folder);
      if (isRoot && !root) chownSync(folder, NOBODY, NOBODY);
      report = JSON.parse(
        execFileSync(...command(root, process.execPath, WORLD, level, folder), options),
      ) as Report;
    }, 180_000);
    afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

    it(`can do ${can.length > 0 ? 'everything' : 'nothing'} that is forbidden`, () => {
      expect(FORBIDDEN.filter((deed) => report.look[deed] === true)).toEqual(can);
    });

    it('reads its source, writes its output, and has no settings in its environment', () => {
      expect(report.look).toMatchObject({ 'read its source': true, 'write its output': true });
      const known = ['LANG', 'LD_LIBRARY_PATH', 'PATH', 'PWD', 'TEMP', 'TMP', 'TMPDIR', 'TZ'];
      expect(known).toEqual(expect.arrayContaining(report.look.environment as string[]));
    });

    it('gets no more memory, CPU time and output than allowed', () => {
      expect([report.file, report.files]).toEqual(['too much output', 'too much output']);
      expect(report.memory).not.toEqual(expect.any(Number));
      expect(report.cpu).toBe('SIGXCPU');
    });

    it('leaves no process behind', () => {
      expect(report.lingers).toBe(false);
      // Without a process namespace of its own, a child can leave its process group.
      expect(report.lingersDetached).toBe(level === 'limits');
    });

    it('cannot make the service follow links or publish other files', () => {
      expect(report.symbolic).toBe(NOT_PLAIN);
      expect(['EXDEV', 'EPERM', NOT_PLAIN]).toContain(report.hard);
      expect(report.unexpected).toBe('a child process left files with unexpected names');
    });

    it('packages a file, which stays private', () => {
      expect(report.package).toEqual({
        duration: expect.closeTo(18.35, 2),
        source: '600',
        own: true,
        owner: true,
        left: ['hls', 'thumbnail.jpg'],
      });
    });
  });
});
