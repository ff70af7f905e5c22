import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emailOf, id as newId, keyOf, recording, user } from '../factories/workspace.js';
import { commandLine } from '../support/command-line.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { readHls, settled } from '../support/packaged.js';
import { eventually } from '../support/service.js';
import { Sandbox, type Ended, type RunningService } from '../support/process.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const FILM = resolve('demo/media/depot-walk-through.mp4');
const CLI = resolve('dist/src/entrypoints/cli/main.js');
const ADA = ['--email', emailOf('Ada')];

describe('recordings on the command line', () => {
  const sandbox = new Sandbox();
  const finished = recording('Ada');
  let database: TestDatabase;
  let settings: Record<string, string>;
  let service: RunningService;
  let folder: string;

  const workingDirectory = process.cwd();
  const cli = (...args: string[]): Promise<Ended> => commandLine(settings, '--quiet', 'recordings', ...args);
  const detail = async (id: string) =>
    (await service.api.as(keyOf('Ada')).get(`/recordings/${id}`)).body.data;
  const file = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  beforeAll(async () => {
    database = await createDatabase();
    folder = await sandbox.folder();
    process.chdir(folder);
    settings = { DATABASE_URL: database.url, DATA_DIR: await sandbox.folder() };
    await sandbox.importInto(settings, { users: [user('Ada')], recordings: [finished] });
  });
  afterAll(async () => {
    process.chdir(workingDirectory);
    await sandbox.cleanUp();
    await database.drop();
  });

  it('without a worker, an upload is accepted and waits; watching it fails and says how to proceed', async () => {
    const [plain, watched] = await Promise.all([
      sandbox.cli(settings, 'recordings', 'upload', FILM, ...ADA),
      sandbox.cli(settings, 'recordings', 'upload', FILM, ...ADA, '--watch'),
    ]);
    expect([plain.status, plain.stderr]).toEqual([0, '']);
    expect(plain.stdout.trimEnd()).toMatch(UUID);
    expect([watched.status, watched.stdout]).toEqual([1, '']);
    const [, message] = /^(?:PROCESSING 50%\n)*error: (.*)\n$/.exec(watched.stderr) ?? [];
    expect(message).toMatch(/^[0-9a-f-]{36}: no worker is running; start one with npm start$/);

    service = await sandbox.start(settings);
    for (const id of [plain.stdout.trim(), message!.slice(0, 36)]) {
      expect((await settled(service.api.as(keyOf('Ada')), id)).status).toBe('COMPLETED');
    }
  });

  it('uploads beside the running service: prints the id, takes the title from the file name', async () => {
    const { status, stdout, stderr } = await cli('upload', FILM, ...ADA);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd()).toMatch(UUID);
    expect((await detail(stdout.trim())).title).toBe('depot-walk-through');
  });

  it('with --watch ends once the recording is complete; with --json prints a single line of JSON', async () => {
    const [plain, json] = await Promise.all([
      cli('upload', FILM, ...ADA, '--watch', '--title', ' Depot '),
      cli('upload', FILM, ...ADA, '--watch', '--json'),
    ]);
    const found = await detail(plain.stdout.trim());
    expect(found).toMatchObject({ status: 'COMPLETED', title: 'Depot', progress: 1 });
    expect((await readHls(found.hlsUrl)).map(({ status }) => status)).toEqual(Array(3).fill(200));
    expect([plain.status, json.status]).toEqual([0, 0]);
    expect(json.stdout).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(json.stdout)).toEqual({ id: expect.stringMatching(UUID), status: 'COMPLETED' });
  });

  it('with --watch reports why a file cannot be played, and so does a retry', async () => {
    const zeros = file('zeros.mp4', Buffer.concat([mp4Head(), Buffer.alloc(10_000)]));
    const upload = await cli('upload', zeros, ...ADA, '--watch');
    expect([upload.status, upload.stdout]).toEqual([1, '']);
    const [, id = ''] = /^error: ([0-9a-f-]{36}): The file .*\n$/m.exec(upload.stderr) ?? [];
    expect(id).toMatch(UUID);
    const retried = await cli('retry', id, '--watch');
    expect([retried.status, retried.stdout, retried.stderr]).toEqual([1, '', upload.stderr]);
    expect((await detail(id)).status).toBe('ERROR');
  });

  it('rejects invalid input with a one-line error and the status for it, and creates nothing', async () => {
    const before = await service.api.as(keyOf('Ada')).get('/recordings');
    const cases: [args: string[], status: number, message: RegExp][] = [
      [
        ['upload', FILM, '--email', 'nobody@acme.test'],
        4,
        /^error: --email: there is no user "nobody@acme.test"/,
      ],
      [['upload', 'no-such.mp4', ...ADA], 2, /^error: no-such.mp4: no such file$/],
      [['upload', folder, ...ADA], 2, /: not a regular file$/],
      [
        ['upload', FILM, ...ADA, '--title', ' '],
        2,
        /^error: --title: must have 1 to 500 characters, without control characters$/,
      ],
      [
        ['upload', FILM, ...ADA, '--organization', newId()],
        4,
        /^error: \S+: there is no organization with this id/,
      ],
      [['upload', FILM, ...ADA, '--folder', newId()], 2, /^error: --folder: requires --organization$/],
      [['retry', newId()], 4, /recording/i],
      [['retry', 'no-id'], 4, /^error: no-id: there is no recording with this id/],
      [['retry', finished.id], 3, /nothing to retry/],
    ];
    const ended = await Promise.all(cases.map(([args]) => cli(...args)));
    for (const [index, { status, stdout, stderr }] of ended.entries()) {
      const [args, expected, message] = cases[index]!;
      expect([args, status, stdout]).toEqual([args, expected, '']);
      expect([args, stderr.trimEnd().split('\n')]).toEqual([args, [expect.stringMatching(message)]]);
    }
    const after = await service.api.as(keyOf('Ada')).get('/recordings');
    expect(after.body.pagination.total).toBe(before.body.pagination.total);
  });

  it('removes the recording of an upload that is interrupted', async () => {
    const before = await service.api.as(keyOf('Ada')).get('/recordings');
    // More than can be uploaded before the signal.
    const film = file('long.mp4', readFileSync(FILM));
    truncateSync(film, 4_000_000_000);
    // In a process of its own, as it gets a signal.
    const running = await sandbox.run([CLI, 'recordings', 'upload', film, ...ADA], settings);
    await eventually(async () => {
      const { body } = await service.api.as(keyOf('Ada')).get('/recordings?search=long');
      expect(body.data[0]?.progress).toBeGreaterThan(0);
    });
    const { status, stdout, stderr } = await running.kill('SIGINT');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/long\.mp4: interrupted; the recording was removed\n$/);
    const after = await service.api.as(keyOf('Ada')).get('/recordings');
    expect(after.body.pagination.total).toBe(before.body.pagination.total);
  });
});

/** The beginning of an MP4 without any tracks. */
function mp4Head(): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32BE(24, 0);
  head.write('ftypisom', 4, 'latin1');
  head.write('isomavc1', 16, 'latin1');
  return head;
}
