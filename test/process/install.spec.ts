import { cp, mkdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Sandbox } from '../support/process.js';

/** A fake npm that records how it was called, writes to its cache, prints an error and fails. */
const NPM = `
  const { mkdirSync, writeFileSync } = require('node:fs');
  const cache = process.env.npm_config_cache;
  mkdirSync(cache, { recursive: true });
  writeFileSync(cache + '/package', '');
  writeFileSync(process.env.NOTE, JSON.stringify({ cache, args: process.argv.slice(2) }));
  console.error('npm error no network');
  process.exit(1);
`;

/** A package of the service, one of its tests only, and one of another system. */
const LOCK = {
  packages: {
    '': {},
    'node_modules/service': { version: '1.0.0' },
    'node_modules/tool': { version: '2.0.0', dev: true },
    'node_modules/other-system': { version: '3.0.0', optional: true },
  },
};
const { 'node_modules/tool': TOOL, ...RUNTIME } = LOCK.packages;

/** The first step of every command in the README in a clone without `node_modules`. */
describe('the installation before a command', () => {
  const sandbox = new Sandbox();
  afterAll(() => sandbox.cleanUp());

  interface Setting {
    readonly command?: string;
    readonly installed?: object;
    readonly cache?: (folder: string) => string;
  }

  async function install({ command = 'build.js', installed, cache }: Setting) {
    const folder = await sandbox.folder();
    await cp('scripts', join(folder, 'scripts'), { recursive: true });
    await cp('package.json', join(folder, 'package.json'));
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(LOCK));
    if (installed) {
      await mkdir(join(folder, 'node_modules'));
      const file = join(folder, 'node_modules', '.package-lock.json');
      await writeFile(file, JSON.stringify({ packages: installed }));
    }
    await writeFile(join(folder, 'npm.cjs'), NPM);
    await writeFile(join(folder, 'file'), '');
    const note = join(folder, 'note.json');
    const program = await sandbox.run([join(folder, 'scripts', command)], {
      npm_execpath: join(folder, 'npm.cjs'),
      npm_config_cache: cache?.(folder) ?? join(folder, 'home', '.npm'),
      NOTE: note,
    });
    const { status, stderr } = await program.ended;
    const called = JSON.parse(await readFile(note, 'utf8')) as { cache: string; args: string[] };
    return { folder, status, stderr, called };
  }

  it("runs npm ci with npm's own cache, and shows npm's error when it fails", async () => {
    const { folder, status, stderr, called } = await install({});
    expect(called.args.slice(0, 2)).toEqual(['ci', '--omit=dev']);
    expect(called.cache).toBe(join(folder, 'home', '.npm'));
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^Installing packages \(\d+ MB; .+\)\.\.\.\nnpm error no network\nnpm failed; see above\.\n$/,
    );
  });

  it.each([
    [
      'the service, when tools are already installed',
      'build.js',
      { 'node_modules/tool': TOOL },
      ['ci', '--include=dev'],
    ],
    ['checks', 'check.js', undefined, ['ci', '--include=dev']],
    [
      'checks, without replacing the packages of a running service',
      'check.js',
      RUNTIME,
      ['install', '--no-save', '--include=dev'],
    ],
  ])('installs what is needed by %s', async (_what, command, installed, args) => {
    const { called } = await install({ command, installed });
    expect(called.args.slice(0, args.length)).toEqual(args);
  });

  it('does not rebuild a stale build for the command line, but warns about it', async () => {
    const folder = await sandbox.folder();
    await cp('scripts', join(folder, 'scripts'), { recursive: true });
    await mkdir(join(folder, 'dist'));
    for (const name of [
      'package.json',
      'package-lock.json',
      'src',
      'clients',
      'ormconfig.ts',
      '.swcrc',
      'dist/src',
    ])
      await symlink(resolve(name), join(folder, name));
    const stamp = join(folder, 'dist', '.built-from');
    await writeFile(stamp, 'another source');
    await utimes(stamp, 0, 0);
    const url = 'postgres://ada:secret@127.0.0.1/meetings';
    const args = [join(folder, 'scripts', 'cli.js'), 'database', 'url'];
    const program = await sandbox.run(args, { DATABASE_URL: url });
    expect(await program.ended).toMatchObject({
      status: 0,
      stdout: `${url}\n`,
      stderr: expect.stringMatching(
        /^The source has changed since the last build.*npm run build.*\nUsing the database 127\.0\.0\.1:5432\/meetings\n$/,
      ),
    });
    expect(await readFile(stamp, 'utf8')).toBe('another source');
  });
});
