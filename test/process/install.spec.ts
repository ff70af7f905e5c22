import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Sandbox } from '../support/process.js';

/** Stands in for npm: records the cache it was given, writes to it, and fails. */
const NPM = `
  const { mkdirSync, writeFileSync } = require('node:fs');
  const cache = process.env.npm_config_cache;
  mkdirSync(cache, { recursive: true });
  writeFileSync(cache + '/package', '');
  writeFileSync(process.env.NOTE, JSON.stringify({ cache, args: process.argv.slice(2) }));
  process.exit(1);
`;

/** What every command of the README does first, in a clone without `node_modules`. */
describe('the installation before a command', () => {
  const sandbox = new Sandbox();
  afterAll(() => sandbox.cleanUp());

  async function install(cache: (folder: string) => string) {
    const folder = await sandbox.folder();
    for (const name of ['scripts', 'package.json', 'package-lock.json']) {
      await cp(name, join(folder, name), { recursive: true });
    }
    await writeFile(join(folder, 'npm.cjs'), NPM);
    await mkdir(join(folder, 'home'));
    await writeFile(join(folder, 'file'), '');
    const note = join(folder, 'note.json');
    const program = await sandbox.run([join(folder, 'scripts', 'build.js')], {
      npm_execpath: join(folder, 'npm.cjs'),
      npm_config_cache: cache(folder),
      NOTE: note,
    });
    const { status, stderr } = await program.ended;
    const called = JSON.parse(await readFile(note, 'utf8')) as { cache: string; args: string[] };
    return { folder, status, stderr, called };
  }

  it("runs npm ci with npm's own cache, and stops when it fails", async () => {
    const { folder, status, stderr, called } = await install((place) => join(place, 'home', '.npm'));
    expect(called.args.slice(0, 2)).toEqual(['ci', '--include=dev']);
    expect(called.cache).toBe(join(folder, 'home', '.npm'));
    expect(status).toBe(1);
    expect(stderr).toBe('Installing packages (once)...\nnpm ci failed; see above\n');
  });

  it('gives npm a temporary cache when its own cannot be written', async () => {
    const { folder, called } = await install((place) => join(place, 'file', '.npm'));
    expect(called.cache.startsWith(folder)).toBe(false);
    expect(existsSync(called.cache)).toBe(false);
  });

  it('leaves a stale build as it is for the command line, and says so', async () => {
    const folder = await sandbox.folder();
    const needed = ['scripts', 'package.json', 'package-lock.json', 'src', 'ormconfig.ts', '.swcrc', 'dist'];
    for (const name of needed) await cp(name, join(folder, name), { recursive: true });
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    const stamp = join(folder, 'dist', '.built-from');
    await writeFile(stamp, 'another source');
    const url = 'postgres://ada:secret@127.0.0.1/meetings';
    const args = [join(folder, 'scripts', 'cli.js'), 'database', 'url'];
    const program = await sandbox.run(args, { DATABASE_URL: url });
    expect(await program.ended).toMatchObject({
      status: 0,
      stdout: `${url}\n`,
      stderr: expect.stringMatching(/^The source has changed since the last build.*npm run build.*\n$/),
    });
    expect(await readFile(stamp, 'utf8')).toBe('another source');
  });
});
