import {
  appendFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OBJECT_REFERENCES, REMOVAL_JOBS } from '../../src/modules/media/public/media-objects.js';
import { SealingService } from '../../src/modules/audit/seals/sealing.service.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { keyOf, member, organization, recording, summary, transcript, user } from '../factories/workspace.js';
import { rowsOf } from '../support/backups.js';
import { commandLine as run, commandsOn } from '../support/command-line.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { query, Sandbox, type Ended, type Environment } from '../support/process.js';
import { startService, type TestService } from '../support/service.js';

/** Columns with a key, partitions left out. */
const KEY_COLUMNS = `SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
  WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace AND attname ~ '(^|_)key$'`;
/** Those of which none is the key of an object, or of one that may not be there: a part of a direct upload, until that is complete. */
const OTHER_KEYS = [
  'direct_parts.key',
  'passkeys.public_key',
  'rate_limits.key',
  'share_links.plain_for_key',
];

/** Without the line that says which database is used. */
const commandLine = (settings: Environment, ...args: string[]): Promise<Ended> =>
  run(settings, '--quiet', ...args);

describe('backup and restore', () => {
  const sandbox = new Sandbox();
  const databases: TestDatabase[] = [];
  let service: TestService;
  /** Where backups are, and the one in it. */
  let backup: string;
  let saved: string;
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
  const call = recording('Ada', {
    media: 'call.mp4',
    transcript: transcript(5),
    summary,
    title: 'Tab\there \\N',
  });

  const { cli } = commandsOn(() => service);

  beforeAll(async () => {
    service = await startService();
    const workspace = { users: [user('Ada')], organizations: [acme], recordings: [call] };
    await service.import(workspace, { 'call.mp4': 'the bytes of the call' });
    const ada = service.api.as(keyOf('Ada'));
    await ada.patch(`/organizations/${acme.id}`, { name: 'Acme Inc' });
    const link = await ada.post(`/recordings/${call.id}/share-link`, {});
    expect(link.status).toBe(201);
    await service.app.get(SealingService).run();
    backup = join(await sandbox.folder(), 'backups', 'monday');
  });
  afterAll(async () => {
    await service.stop();
    for (const database of databases) await database.drop();
    await sandbox.cleanUp();
  });

  /** An empty database and an empty folder. */
  async function empty(): Promise<{ DATABASE_URL: string; DATA_DIR: string }> {
    const database = await createDatabase({ migrated: false });
    databases.push(database);
    return { DATABASE_URL: database.url, DATA_DIR: await sandbox.folder() };
  }

  const ends = ({ status, stderr }: Ended): unknown => [status, stderr];

  it('copies a service that is running, readable for this user only', async () => {
    const { status, stdout, stderr } = await cli('--quiet', 'backup', backup, '--json');
    expect([status, stderr]).toEqual([0, '']);
    const result = JSON.parse(stdout);
    saved = result.folder;
    expect(result).toMatchObject({
      folder: expect.stringMatching(/monday\/\d{4}-\d\d-\d\dt\d{9}z$/),
      media_files: 1,
      media_bytes: 21,
      keys: ['sealing-key', 'url-signing-key'],
      problems: 0,
    });
    expect((await stat(backup)).mode & 0o777).toBe(0o700);
    expect(await readdir(backup)).toEqual(['.partial', basename(saved), 'objects']);
    expect(await readdir(saved)).toEqual([
      'backup.json',
      'begun.json',
      'keys',
      'objects-1.tsv',
      'references.tsv',
      'rows',
    ]);
  });

  it('restores the same rows, schema, media and keys into an empty database and folder', async () => {
    const before = await rowsOf(service.databaseUrl);
    const target = await empty();
    expect(ends(await commandLine(target, 'restore', backup))).toEqual([
      0,
      expect.stringMatching(/^Creating the tables of the service in \S+\n$/),
    ]);
    expect(await rowsOf(target.DATABASE_URL)).toEqual(before);
    expect(ends(await commandLine(target, 'audit', 'verify'))).toEqual([0, '']);

    const restored = await startService(
      {},
      { beside: { ...service, databaseUrl: target.DATABASE_URL, dataDir: target.DATA_DIR } },
    );
    try {
      const ada = restored.api.as(keyOf('Ada'));
      const links = await ada.get(`/recordings/${call.id}/share-links`);
      expect(links.body.data).toEqual([expect.objectContaining({ share_token: expect.any(String) })]);
      expect(await restored.objects()).toEqual(await service.objects());
      const later = await ada.patch(`/recordings/${call.id}`, { title: 'After the restore' });
      expect(later.status).toBe(200);
    } finally {
      await restored.stop();
    }
  });

  it('goes on where it was interrupted, until when the service does not start', async () => {
    const target = await empty();
    const users = join(saved, 'rows', 'users');
    const content = await readFile(users);
    await writeFile(users, Buffer.from(content).fill('f', 0, 1));
    expect(ends(await commandLine(target, 'restore', backup))).toEqual([
      1,
      expect.stringContaining('users has another content'),
    ]);
    await writeFile(users, content);
    expect(ends(await commandLine(target, 'keys', 'list', '--email', 'ada@acme.test'))).toEqual([
      1,
      expect.stringContaining('run `restore` again'),
    ]);
    expect(ends(await commandLine(target, 'restore', backup))).toEqual([0, '']);
    expect(await query(target.DATABASE_URL, 'SELECT name FROM users')).toEqual([{ name: 'Ada' }]);
  });

  it('refuses a folder that is in use, and a backup that is not whole', async () => {
    expect(ends(await cli('--quiet', 'backup', saved))).toEqual([
      2,
      expect.stringMatching(/is not empty, and has something else than backups: backup.json/),
    ]);
    const restored = { DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir };
    expect(ends(await commandLine(restored, 'restore', backup))).toEqual([
      3,
      expect.stringMatching(/The database in \S+ is not empty\. Set DATABASE_URL to an empty database/),
    ]);
    const target = await empty();
    const full = { ...target, DATA_DIR: service.dataDir };
    expect(ends(await commandLine(full, 'restore', backup))).toEqual([
      3,
      expect.stringMatching(/The store of media files is not empty.* DATA_DIR=NEW npx mrs restore \//),
    ]);
    const other = join(await sandbox.folder(), 'copy');
    await cp(backup, other, { recursive: true });
    await rm(join(other, basename(saved), 'rows', 'users'));
    expect(ends(await commandLine(target, 'restore', other))).toEqual([
      2,
      expect.stringContaining('users is missing'),
    ]);
    await rm(join(other, basename(saved), 'backup.json'));
    expect(ends(await commandLine(target, 'restore', other))).toEqual([
      2,
      expect.stringContaining('holds no backup'),
    ]);
    expect(await query(target.DATABASE_URL, `SELECT to_regclass('unfinished_restore') AS name`)).toEqual([
      { name: null },
    ]);
  });

  /** A copy of the backup, to be damaged. */
  async function copied(): Promise<string> {
    const copy = join(await sandbox.folder(), 'copy');
    await cp(backup, copy, { recursive: true });
    return join(copy, basename(saved));
  }
  const objectIn = async (folder: string): Promise<{ key: string; path: string }> => {
    const [key = ''] = (await readFile(join(folder, 'objects-1.tsv'), 'utf8')).split('\t');
    return { key, path: join(folder, '..', 'objects', basename(folder), key) };
  };

  it('says which media files are damaged before it is restored, and installs none of them', async () => {
    const copy = await copied();
    const { key, path } = await objectIn(copy);
    await writeFile(path, 'the bytes of the CALL');
    const target = await empty();
    const restored = await commandLine(target, 'restore', copy);
    expect(restored.status).toBe(1);
    expect(restored.stderr).toMatch(
      new RegExp(
        `\nleft out, as the backup is damaged: ${key}: has another content than it had\n[^]*1 media file`,
      ),
    );
    expect(restored.stderr.match(new RegExp(key, 'g'))).toHaveLength(1);
    expect(restored.stdout).toMatch(/^Restored the backup of .*, with 0 media files/);
    expect(await readdir(join(target.DATA_DIR, 'objects', '.partial'))).toEqual([]);
    await expect(stat(join(target.DATA_DIR, 'objects', key))).rejects.toThrow('ENOENT');
    expect(await query(target.DATABASE_URL, 'SELECT name FROM users')).toEqual([{ name: 'Ada' }]);
  });

  it('is verified without a target', async () => {
    const whole = await commandLine({}, 'backup', 'verify', backup, '--json');
    expect(ends(whole)).toEqual([0, '']);
    expect(JSON.parse(whole.stdout)).toMatchObject({ media_files: 1, problems: 0 });

    const copy = await copied();
    const { key, path } = await objectIn(copy);
    await rm(path);
    await appendFile(join(copy, 'keys', 'sealing-key'), ' and more');
    const damaged = await commandLine({}, 'backup', 'verify', copy);
    expect([damaged.status, damaged.stdout]).toEqual([1, '']);
    expect(damaged.stderr).toMatch(
      /: is missing\n\S+sealing-key: does not contain a key.*\nerror: The backup .* is damaged: 2 problems/,
    );
    await cp(join(saved, 'keys'), join(copy, 'keys'), { recursive: true });
    expect(ends(await commandLine({}, 'backup', 'verify', copy))).toEqual([
      1,
      expect.stringMatching(new RegExp(`^${key}: is missing\nerror: The backup .* is damaged: 1 problem`)),
    ]);
    const users = await readFile(join(copy, 'rows', 'users'));
    await writeFile(join(copy, 'rows', 'users'), users.fill('f', 0, 1));
    expect(ends(await commandLine({}, 'backup', 'verify', copy))).toEqual([
      1,
      expect.stringContaining('users has another content than it had'),
    ]);
    expect(ends(await commandLine({}, 'backup', 'verify', join(copy, 'rows')))).toEqual([
      2,
      expect.stringContaining('holds no backup'),
    ]);
  });

  it.each([
    ['backup.json', 2],
    ['references.tsv', 2],
    ['rows/users', 2],
    ['rows', 2],
    ['keys/sealing-key', 2],
    ['keys', 2],
    ['../objects', 1],
  ])('follows no symbolic link in a backup: %s', async (name, status) => {
    const copy = await copied();
    const elsewhere = join(await sandbox.folder(), 'elsewhere');
    await rename(join(copy, name), elsewhere);
    await symlink(elsewhere, join(copy, name));
    const link = expect.stringContaining(`${join(copy, name)} is a symbolic link`);
    expect(ends(await commandLine(await empty(), 'restore', copy))).toEqual([status, link]);
    const verified = await commandLine({}, 'backup', 'verify', copy);
    expect([verified.status, verified.stderr]).toEqual([status, link]);
  });

  it('follows no symbolic link in the data folder, which may be one itself', async () => {
    const target = await empty();
    const elsewhere = await sandbox.folder();
    await symlink(elsewhere, join(target.DATA_DIR, 'objects'));
    expect(ends(await commandLine(target, 'restore', backup))).toEqual([
      2,
      expect.stringContaining(`${join(target.DATA_DIR, 'objects')} is a symbolic link`),
    ]);
    expect(await readdir(elsewhere)).toEqual([]);
    await rm(join(target.DATA_DIR, 'objects'));
    const link = join(await sandbox.folder(), 'data');
    await symlink(target.DATA_DIR, link);
    const throughLink = await commandLine({ ...target, DATA_DIR: link }, 'restore', backup);
    expect(throughLink.status).toBe(0);

    const { key } = await objectIn(saved);
    const stored = join(target.DATA_DIR, 'objects', key);
    await rename(stored, join(elsewhere, 'secret'));
    await symlink(join(elsewhere, 'secret'), stored);
    const folder = join(await sandbox.folder(), 'saved');
    const ended = await commandLine(target, 'backup', folder);
    expect([ended.status, ended.stderr]).toEqual([
      1,
      expect.stringContaining(`${stored} is a symbolic link`),
    ]);
    expect(await readdir(folder)).not.toContain('objects');
  });

  it('is not written into the data folder, nor restored into itself', async () => {
    const link = join(await sandbox.folder(), 'link');
    await symlink(service.dataDir, link);
    for (const folder of [join(service.dataDir, 'saved'), join(link, 'objects', 'saved')])
      expect(ends(await cli('--quiet', 'backup', folder))).toEqual([
        2,
        expect.stringContaining('is in DATA_DIR'),
      ]);
    const copy = await copied();
    await mkdir(join(copy, 'data'));
    const target = { ...(await empty()), DATA_DIR: join(copy, 'data') };
    expect(ends(await commandLine(target, 'restore', copy))).toEqual([
      2,
      expect.stringContaining('is in the backup'),
    ]);
  });

  it('knows every column with keys of objects, and every job that removes objects', async () => {
    const columns = (await query(service.databaseUrl, KEY_COLUMNS)) as { name: string }[];
    const referring = [...OBJECT_REFERENCES.matchAll(/SELECT (\w+).* FROM (\w+)/g)].map(
      ([, column, table]) => `${table}.${column}`,
    );
    expect(columns.map(({ name }) => name).toSorted()).toEqual([...referring, ...OTHER_KEYS].toSorted());
    const removing = [...service.app.get(JobsService)['tasks']].filter(
      ([, { removesObjects }]) => removesObjects,
    );
    expect(removing.map(([name]) => name).toSorted()).toEqual(Object.values(REMOVAL_JOBS).toSorted());
  });

  it('moves the database only, and says which media files rows miss, and which tables are left out', async () => {
    const folder = await sandbox.folder();
    const [key] = await service.objects();
    await rm(join(service.dataDir, 'objects', key!));
    await query(service.databaseUrl, 'CREATE TABLE notes (id int, said text)');
    const missing = expect.stringMatching(
      new RegExp(`^${key}: is missing\n.* but 1 media file that it needs`),
    );
    expect(ends(await cli('--quiet', 'backup', folder, '--without-media'))).toEqual([1, missing]);
    const { DATABASE_URL } = await empty();
    const moved = await commandLine({ DATABASE_URL, DATA_DIR: service.dataDir }, 'restore', folder);
    expect([moved.status, moved.stderr]).toEqual([1, expect.stringContaining(`${key}: is missing`)]);
    const name = (await readdir(folder)).find((one) => one.startsWith('2'))!;
    const load = `\\copy notes (id, said) FROM '${join(folder, name, 'rows', 'notes')}'`;
    expect(moved.stderr).toMatch(/^The table notes was left out, as the service does not use it\. /m);
    expect(moved.stderr).toContain(`${load}\n`);
    expect(await query(DATABASE_URL, 'SELECT name FROM users')).toEqual([{ name: 'Ada' }]);
  });
});
