import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  emailOf,
  id,
  keyOf,
  member,
  organization,
  recording,
  transcript,
  user,
} from '../factories/workspace.js';
import { commandsOn } from '../support/command-line.js';
import { startService, type TestService } from '../support/service.js';

const acme = organization('Acme', { members: [member('Grace', 'OWNER')] });
const budget = recording('Ada', {
  title: 'Budget 100% final',
  createdAt: '2026-03-01T10:00:00Z',
  transcript: transcript(3),
});
const shared = recording('Grace', { organization: 'Acme', createdAt: '2026-03-02T10:00:00Z' });
const failed = recording('Ada', { status: 'ERROR', title: 'Broken', createdAt: '2026-03-03T10:00:00Z' });
const WORLD = {
  users: [user('Ada'), user('Grace')],
  organizations: [acme],
  recordings: [budget, shared, failed],
};

describe('recordings on the command line', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    await service.import(WORLD);
  });
  afterAll(() => service.stop());

  const { cli, says, json, refuses } = commandsOn(() => service);
  const idsOf = async (...args: string[]): Promise<string[]> =>
    (await json('recordings', ...args)).map(({ id: found }: { id: string }) => found);
  const ada = ['--email', emailOf('Ada')];

  it('lists the recordings of everyone, newest first, or those that match', async () => {
    expect(await idsOf('list')).toEqual([failed.id, shared.id, budget.id]);
    expect(await idsOf('list', '--limit', '2')).toEqual([failed.id, shared.id]);
    expect(await idsOf('list', ...ada)).toEqual([failed.id, budget.id]);
    expect(await idsOf('list', '--status', 'ERROR')).toEqual([failed.id]);
    expect(await idsOf('list', '--organization', acme.id)).toEqual([shared.id]);
    expect(await idsOf('list', '--search', '100% FIN')).toEqual([budget.id]);
    expect(await says('recordings', 'list', '--organization', acme.id)).toBe(
      `${shared.id}  COMPLETED  2026-03-02 10:00  -  Grace  Weekly sync`,
    );
    await refuses(
      2,
      /^--organization: must be the id of an organization/,
      'recordings',
      'list',
      '--organization',
      'Acme',
    );
    await refuses(2, /Allowed choices are STARTING/, 'recordings', 'list', '--status', 'DONE');
  });

  it('shows one with its owner and organization', async () => {
    expect(await json('recordings', 'get', shared.id)).toMatchObject({
      id: shared.id,
      owner: { name: 'Grace', email: 'grace@acme.test' },
      organization: { id: acme.id, name: 'Acme' },
      createdAt: '2026-03-02T10:00:00.000Z',
      transcription: 'not_started',
    });
    expect(await says('recordings', 'get', budget.id)).toMatch(/^owner +Ada <ada@acme\.test> /m);
    const missing = id();
    const message = new RegExp(`^${missing}: there is no recording with this id in 127\\.0\\.0\\.1:\\d+/`);
    await refuses(4, message, 'recordings', 'get', missing);
    await refuses(4, /^nonsense: there is no recording/, 'recordings', 'get', 'nonsense');
  });

  it('finds what anybody said, with the passage', async () => {
    const [found, ...others] = await json('recordings', 'search', '"sentence 2"');
    expect([found.id, found.passages, others]).toEqual([
      budget.id,
      [expect.stringContaining('Sentence 2')],
      [],
    ]);
    expect(await says('recordings', 'search', '"sentence 2"')).toMatch(/ {2}Ada {2}Budget .*Sentence 2/);
    expect((await cli('recordings', 'search', 'zeppelin')).stderr).toBe('No recordings found.\n');
    await refuses(
      2,
      /^text: must have 1 to 200 characters, without control characters$/,
      'recordings',
      'search',
      ' ',
    );
  });

  it('finds a title without saying it twice, and tells the moment of what was said', async () => {
    expect(await says('recordings', 'search', 'weekly')).toBe(
      `${shared.id}  2026-03-02 10:00  Grace  Weekly sync  `.trimEnd(),
    );
    const line = await says('recordings', 'search', 'budget "sentence 2"');
    expect(line).toMatch(/ {2}Ada {2}Budget 100% final {2}\d+:\d\d Ada: [^]*Sentence 2/);
    const [found] = await json('recordings', 'search', '"sentence 2"');
    expect(found.matches).toContainEqual(
      expect.objectContaining({ source: 'transcript', start: expect.any(Number) }),
    );
  });

  it('refuses a file that is no recording, says why, and leaves nothing', async () => {
    const file = join(service.dataDir, 'notes.mp4');
    await writeFile(file, '# Notes\n\nNothing to listen to.\n');
    const message =
      /notes\.mp4: The file is .* Upload audio or video instead.* Recording [0-9a-f-]{36} was removed\.$/;
    await refuses(2, message, 'recordings', 'upload', file, ...ada);
    expect(await idsOf('list', ...ada)).toEqual([failed.id, budget.id]);
  });

  it('deletes one of anybody', async () => {
    expect(await says('recordings', 'delete', failed.id)).toBe('Deleted "Broken" of Ada.');
    const gone = await service.api.as(keyOf('Ada')).get(`/recordings/${failed.id}`);
    expect(gone.body.error.code).toBe('RECORDING_NOT_FOUND');
    await refuses(4, /there is no recording/, 'recordings', 'delete', failed.id);
  });

  it('does not list or find what is in the bin, shows it by its id, and deletes it for good', async () => {
    const owner = service.api.as(keyOf('Grace'));
    await service.dataSource.query('UPDATE organizations SET bin_days = 1 WHERE id = $1', [acme.id]);
    expect((await owner.delete(`/recordings/${shared.id}`)).status).toBe(200);
    expect(await idsOf('list')).toEqual([budget.id]);
    expect((await cli('recordings', 'search', 'weekly')).stderr).toBe('No recordings found.\n');
    expect(await says('recordings', 'get', shared.id)).toMatch(/^deleted +can be restored until 2\d{3}-/m);
    expect(await says('recordings', 'delete', shared.id)).toBe('Deleted "Weekly sync" of Grace.');
    expect((await owner.get('/deleted-recordings')).body.data).toEqual([]);
  });
});
