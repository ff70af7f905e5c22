import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { SealingService } from '../../src/modules/audit/seals/sealing.service.js';
import { holdRemovals } from '../../src/platform/database/backup-lock.js';
import { keyOf, recording, summary, transcript, user } from '../factories/workspace.js';
import { ageKey, filesIn, resultOf } from '../support/backups.js';
import { commandLine as run, commandsOn } from '../support/command-line.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { sha256 } from '../support/objects.js';
import { query, Sandbox, type Ended, type Environment } from '../support/process.js';
import { startService, type TestService } from '../support/service.js';
import { mountSmallDisk, SMALL_DISKS, unmount } from '../support/small-disk.js';

const commandLine = (settings: Environment, ...args: string[]): Promise<Ended> =>
  run(settings, '--quiet', ...args);
const ends = ({ status, stderr }: Ended): unknown => [status, stderr];

describe('several backups in a folder', () => {
  const sandbox = new Sandbox();
  const databases: TestDatabase[] = [];
  const secret = 'the bytes of a call that nobody else should read';
  let service: TestService;
  let root: string;
  let first: string;
  const { cli } = commandsOn(() => service);
  const backUp = async (...args: string[]): Promise<ReturnType<typeof JSON.parse>> =>
    resultOf(await cli('--quiet', 'backup', ...args, '--json'));
  const namesIn = async (folder: string): Promise<string[]> =>
    (await readdir(folder)).filter((name) => name.startsWith('2'));

  beforeAll(async () => {
    service = await startService();
    const call = recording('Ada', {
      media: 'call.mp4',
      transcript: transcript(5),
      summary,
      title: 'Ticket 4711',
    });
    await service.import({ users: [user('Ada')], recordings: [call] }, { 'call.mp4': secret });
    await service.app.get(SealingService).run();
    root = join(await sandbox.folder(), 'backups');
  });
  afterAll(async () => {
    await service.stop();
    for (const database of databases) await database.drop();
    await sandbox.cleanUp();
  });

  async function empty(): Promise<{ DATABASE_URL: string; DATA_DIR: string }> {
    const database = await createDatabase({ migrated: false });
    databases.push(database);
    return { DATABASE_URL: database.url, DATA_DIR: await sandbox.folder() };
  }

  async function restores(from: string, titles: string[], ...args: string[]): Promise<void> {
    const target = await empty();
    expect(ends(await commandLine(target, 'restore', from, ...args))).toEqual([
      0,
      expect.stringMatching(/^Creating the tables of the service in \S+\n$/),
    ]);
    const rows = await query(target.DATABASE_URL, 'SELECT title FROM recordings ORDER BY title');
    expect(rows).toEqual(titles.map((title) => ({ title })));
    expect(await readdir(join(target.DATA_DIR, 'objects', 'recordings'))).toHaveLength(titles.length);
  }

  it('store each media file once, and restore each as it was, the newest by default', async () => {
    const one = await backUp(root);
    first = one.folder;
    expect(one).toMatchObject({ media_files: 1, new_media_files: 1, new_media_bytes: 48 });
    expect(await backUp(root)).toMatchObject({ media_files: 1, new_media_files: 0, new_media_bytes: 0 });
    const more = recording('Ada', { media: 'more.mp4', title: 'Another' });
    await service.import({ recordings: [more] }, { 'more.mp4': 'more bytes' });
    expect(await backUp(root)).toMatchObject({ media_files: 2, new_media_files: 1, new_media_bytes: 10 });
    expect(await filesIn(join(root, 'objects'))).toHaveLength(2);
    await restores(root, ['Another', 'Ticket 4711']);
    await restores(first, ['Ticket 4711']);
  });

  it('copy again what was written since then, or is no longer there', async () => {
    const [key = ''] = await service.objects();
    const file = join(service.dataDir, 'objects', key);
    await writeFile(file, await readFile(file));
    expect(await backUp(root)).toMatchObject({ new_media_files: 1 });
    expect(await backUp(root)).toMatchObject({ new_media_files: 0 });
    const copies = (await filesIn(join(root, 'objects'))).filter((path) => path.endsWith(key));
    expect(copies).toHaveLength(2);
    await rm(copies.toSorted()[1]!);
    expect(await backUp(root)).toMatchObject({ new_media_files: 1 });
    expect(resultOf(await commandLine({}, 'backup', 'verify', root, '--json'))).toMatchObject({
      media_files: 2,
    });
  });

  it('go on with what an interrupted one has, and remove the rest of it', async () => {
    const folder = join(await sandbox.folder(), 'interrupted');
    const { folder: interrupted } = await backUp(folder);
    await rm(join(interrupted, 'backup.json'));
    const orphan = join(folder, 'objects', basename(interrupted), 'recordings', 'orphan');
    await writeFile(orphan, 'copied, but not yet listed');
    expect(ends(await commandLine({}, 'backup', 'verify', folder))).toEqual([
      2,
      expect.stringContaining('holds no backup, or an unfinished one'),
    ]);
    const { folder: next, ...counts } = await backUp(folder);
    expect(counts).toMatchObject({ media_files: 2, new_media_files: 0, removed: [] });
    expect(await namesIn(folder)).toEqual([basename(next)]);
    await expect(stat(orphan)).rejects.toThrow('ENOENT');
    expect(resultOf(await commandLine({}, 'backup', 'verify', folder, '--json'))).toMatchObject({
      problems: 0,
    });
  });

  it('remove older ones with the media files that no other has, but never the newest', async () => {
    const folder = join(await sandbox.folder(), 'kept');
    const { folder: old } = await backUp(folder);
    for (const name of ['2025-01-05t030000000z', '2025-01-06t030000000z', '2025-02-06t030000000z'])
      await cp(old, join(folder, name), { recursive: true });
    await cp(join(folder, 'objects', basename(old)), join(folder, 'objects', '2025-01-05t030000000z'), {
      recursive: true,
    });
    for (const keep of ['7', 'd7', '7d,', '0d'])
      expect(ends(await cli('--quiet', 'backup', folder, '--keep', keep))).toEqual([
        2,
        expect.stringMatching(/^error: --keep: must be how many .* such as 7d,4w,12m, not "/),
      ]);
    const { folder: newest, removed } = await backUp(folder, '--keep', '1d,2m');
    expect(removed).toEqual(['2025-01-05t030000000z', '2025-01-06t030000000z', basename(old)]);
    expect(await namesIn(folder)).toEqual(['2025-02-06t030000000z', basename(newest)]);
    expect(await readdir(join(folder, 'objects'))).toEqual([basename(old)]);
    for (const one of ['2025-02-06t030000000z', basename(newest)])
      expect(ends(await commandLine({}, 'backup', 'verify', join(folder, one)))).toEqual([0, '']);
  });

  it('remove nothing if one of those to keep is damaged, which the next does not need', async () => {
    const folder = join(await sandbox.folder(), 'kept');
    const { folder: damaged } = await backUp(folder);
    await cp(damaged, join(folder, '2025-01-05t030000000z'), { recursive: true });
    await writeFile(join(damaged, 'objects-1.tsv'), 'damaged');
    // It has the files of the one before.
    expect(await backUp(folder)).toMatchObject({ new_media_files: 0 });
    const before = await filesIn(folder);
    await rename(damaged, join(folder, '2025-03-05t030000000z'));
    const refused = await cli('--quiet', 'backup', folder, '--keep', '1d,2m');
    expect(ends(refused)).toEqual([
      1,
      expect.stringMatching(/ is complete, but earlier ones were not removed: .*objects-1.tsv has 7 bytes/),
    ]);
    expect((await filesIn(folder)).length).toBeGreaterThan(before.length);
  });

  it('are refused where another service has its own, while one is running, and in the data folder', async () => {
    const other = await startService();
    try {
      await other.app.get(SealingService).run();
      const target = { DATABASE_URL: other.databaseUrl, DATA_DIR: other.dataDir };
      expect(ends(await commandLine(target, 'backup', root))).toEqual([
        1,
        expect.stringContaining('has backups of another service: choose another folder or prefix'),
      ]);
    } finally {
      await other.stop();
    }
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    try {
      expect(await holdRemovals(client)).toBe(true);
      expect(ends(await cli('--quiet', 'backup', root))).toEqual([
        1,
        expect.stringContaining('Another backup of this database is running'),
      ]);
    } finally {
      await client.end();
    }
  });

  SMALL_DISKS.it('leave earlier ones alone when the disk is full', async () => {
    const disk = join(await sandbox.folder(), 'disk');
    await mkdir(disk);
    mountSmallDisk(disk);
    try {
      await backUp(disk);
      const before = await filesIn(disk);
      const big = recording('Ada', { media: 'big.mp4', title: 'Big' });
      await service.import({ recordings: [big] }, { 'big.mp4': Buffer.alloc(40 * 1024 * 1024, 'x') });
      expect(ends(await cli('--quiet', 'backup', disk))).toEqual([
        1,
        `error: Cannot write to ${disk}: no space is left on the device. What was written of the backup has been removed.\n`,
      ]);
      expect(await filesIn(disk)).toEqual(before);
      expect(ends(await commandLine({}, 'backup', 'verify', disk))).toEqual([0, '']);
      await service.api.as(keyOf('Ada')).delete(`/recordings/${big.id}`);
    } finally {
      unmount(disk);
    }
  });

  describe('encrypted', () => {
    let folder: string;
    let mine: { recipient: string; identity: string };
    let theirs: { recipient: string; identity: string };

    beforeAll(async () => {
      folder = join(await sandbox.folder(), 'encrypted');
      mine = await ageKey(await sandbox.folder());
      theirs = await ageKey(await sandbox.folder());
    });

    it('have no row, key or media file that can be read, and need the identity', async () => {
      const made = await backUp(folder, '--encrypt-to', mine.recipient);
      expect(made).toMatchObject({ encrypted: true });
      const key = await readFile(join(service.dataDir, 'sealing-key'), 'utf8');
      for (const path of await filesIn(folder)) {
        const content = await readFile(path, 'latin1');
        for (const text of [secret, 'Ticket 4711', 'ada@acme.test', key]) expect(content).not.toContain(text);
      }
      const target = await empty();
      expect(ends(await commandLine(target, 'restore', folder))).toEqual([
        2,
        `error: The backup is encrypted to ${mine.recipient}: give the file with the identity as --identity\n`,
      ]);
      expect(ends(await commandLine(target, 'restore', folder, '--identity', theirs.identity))).toEqual([
        2,
        expect.stringMatching(/references.tsv cannot be decrypted: no identity matched/),
      ]);
      await restores(folder, ['Another', 'Ticket 4711'], '--identity', mine.identity);
    });

    it('are verified with the identity, or without, also where only the recipient is known', async () => {
      const verified = await commandLine({}, 'backup', 'verify', folder, '--json');
      expect(resultOf(verified)).toMatchObject({ media_files: 2, problems: 0 });
      const whole = await commandLine({}, 'backup', 'verify', folder, '--identity', mine.identity);
      expect(ends(whole)).toEqual([0, '']);
      const wrong = await commandLine({}, 'backup', 'verify', folder, '--identity', theirs.identity);
      expect(ends(wrong)).toEqual([1, expect.stringContaining('cannot be decrypted')]);
    });

    it('say which file is damaged', async () => {
      const copy = join(await sandbox.folder(), 'copy');
      await cp(folder, copy, { recursive: true });
      const [object = ''] = (await filesIn(join(copy, 'objects'))).toSorted();
      const content = await readFile(object);
      await writeFile(object, content.fill('x', content.length - 20));
      for (const args of [[], ['--identity', mine.identity]])
        expect(ends(await commandLine({}, 'backup', 'verify', copy, ...args))).toEqual([
          1,
          expect.stringMatching(/recordings\/\S+: (has another content than it had|cannot be decrypted)/),
        ]);
    });

    it('store each media file once, unless the recipients are others', async () => {
      const file = join(dirname(mine.identity), 'recipients.txt');
      await writeFile(file, `# who may restore\n${mine.recipient}\n`);
      expect(await backUp(folder, '--encrypt-to', file)).toMatchObject({ new_media_files: 0 });
      const both = await backUp(folder, '--encrypt-to', mine.recipient, theirs.recipient);
      expect(both).toMatchObject({ media_files: 2, new_media_files: 2 });
      const whole = await commandLine({}, 'backup', 'verify', folder, '--identity', theirs.identity);
      expect(ends(whole)).toEqual([0, '']);
      expect(await backUp(folder)).toMatchObject({ encrypted: false, new_media_files: 2 });
      // The newest needs none.
      const plain = await commandLine({}, 'backup', 'verify', folder, '--identity', mine.identity);
      expect(ends(plain)).toEqual([0, '']);
    });

    it('need keys that are some', async () => {
      expect(ends(await cli('--quiet', 'backup', folder, '--encrypt-to', 'age1wrong'))).toEqual([
        2,
        'error: --encrypt-to: age1wrong is not an age recipient (age1...)\n',
      ]);
      expect(ends(await cli('--quiet', 'backup', folder, '--encrypt-to', '/nonexistent'))).toEqual([
        2,
        expect.stringMatching(/^error: --encrypt-to: cannot read the file "\/nonexistent": ENOENT/),
      ]);
      const notAge = join(dirname(mine.identity), 'not-age');
      await writeFile(notAge, 'AGE-SECRET-KEY-1 is what I have forgotten');
      const refused = await commandLine({}, 'backup', 'verify', folder, '--identity', notAge);
      expect(ends(refused)).toEqual([
        2,
        `error: --identity: ${notAge}: a line is not an age identity (AGE-SECRET-KEY-1...)\n`,
      ]);
    });
  });

  it('include one of 1.0, in a folder of its own', async () => {
    const folder = join(await sandbox.folder(), 'backups');
    const { folder: made } = await backUp(folder);
    const old = join(await sandbox.folder(), 'monday');
    await rename(made, old);
    await rename(join(folder, 'objects', basename(made)), join(old, 'objects'));
    const lines = (await readFile(join(old, 'objects-1.tsv'), 'utf8')).trimEnd().split('\n');
    const list = lines.map((line) => `${line.split('\t').slice(0, 3).join('\t')}\n`).join('');
    await writeFile(join(old, 'objects.tsv'), list);
    await rm(join(old, 'objects-1.tsv'));
    await rm(join(old, 'begun.json'));
    const {
      encryptedTo: _,
      problems: __,
      ...manifest
    } = JSON.parse(await readFile(join(old, 'backup.json'), 'utf8'));
    const { count, bytes } = manifest.objects;
    const objects = { count, bytes, list: { size: list.length, sha256: sha256(Buffer.from(list)) } };
    await writeFile(join(old, 'backup.json'), JSON.stringify({ ...manifest, format: 1, objects }));
    const verified = await commandLine({}, 'backup', 'verify', old, '--json');
    expect(resultOf(verified)).toMatchObject({ media_files: 2, problems: 0 });
    await restores(old, ['Another', 'Ticket 4711']);
    expect(ends(await cli('--quiet', 'backup', old))).toEqual([2, expect.stringContaining('is not empty')]);
  });
});
