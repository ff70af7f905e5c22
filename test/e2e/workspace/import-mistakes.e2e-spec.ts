import { mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { folder, id, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { WorkspaceReaderService } from '../../../src/modules/workspace/workspace-reader.service.js';
import { startService, type TestService } from '../../support/service.js';

const VTT = `WEBVTT

00:00:01.000 --> 00:00:02.500
<v Ada>Good <i>morning</i> &amp; welcome

NOTE a comment

2
00:01:02.000 --> 00:01:03.250 align:start
Grace: Hello
`;
const SRT =
  '1\r\n00:00:01,000 --> 00:00:02,500\r\nAda: Good morning\r\n\r\n2\r\n01:00:00,000 --> 01:00:01,000\r\nBye\r\n';

const twin = id();
const adaUser = user('Ada');
const acme = organization('Acme', { members: [member('Ada', 'OWNER')], folders: [folder('Board')] });
const inFirst = (overrides: object): object => ({
  users: [adaUser],
  recordings: [recording('Ada', overrides)],
});
const withKey = (apiKey: object): object => ({
  users: [user('Ada', { apiKeys: [{ name: 'x', ...apiKey }] })],
});
const inOrganization = (overrides: object): object => ({
  users: [adaUser],
  organizations: [{ ...acme, ...overrides }],
});
const segment = (overrides: object): object =>
  inFirst({
    transcript: {
      segments: [
        { start: 0, end: 1, text: 'x' },
        { start: 1, end: 2, text: 'x', ...overrides },
      ],
    },
  });

describe('An error in a workspace file', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('is reported as in the contract', async () => {
    const workspace = {
      users: [adaUser],
      organizations: [{ ...acme, folders: [] }],
      recordings: [
        recording('Ada'),
        recording('Ada'),
        recording('Ada'),
        recording('Ada', { organization: 'Acme', folder: 'Board' }),
      ],
    };
    await expect(service.import(workspace)).rejects.toThrow(
      'recordings[3].folder: no folder "Board" in "Acme"',
    );
  });

  it.each([
    ['users[0].email', { users: [user('Ada', { email: 'ada' })] }],
    ['users[0].name', { users: [user('Ada', { name: ' ' })] }],
    ['users[0].plan', { users: [{ ...adaUser, plan: 'ENTERPRISE' }] }],
    ['users[1].email', { users: [adaUser, user('Grace', { email: 'ADA@acme.test', apiKeys: [] })] }],
    ['users[1].id', { users: [adaUser, user('Grace', { id: adaUser.id })] }],
    ['users[1].apiKeys[0].key', { users: [adaUser, user('Grace', { apiKeys: adaUser.apiKeys })] }],
    ['users[0].apiKeys[0].key', withKey({ key: 'mrs_short' })],
    ['users[0].apiKeys[0].name', withKey({ name: 'x'.repeat(101), key: `mrs_${'x'.repeat(43)}` })],
    ['users[0].apiKeys[0].expiresAt', withKey({ key: `mrs_${'x'.repeat(43)}`, expiresAt: '2026-02-30' })],
    ['users[0].apiKeys[0].revoked', withKey({ key: `mrs_${'x'.repeat(43)}`, revoked: 'no' })],
    ['organizations[0].plan', inOrganization({ plan: 'GOLD' })],
    ['organizations[0].subscription.status', inOrganization({ subscription: { status: 'paid' } })],
    ['organizations[0].features.sharing', inOrganization({ features: { sharing: 'yes' } })],
    ['organizations[0].members[0].email', inOrganization({ members: [member('Nobody', 'OWNER')] })],
    [
      'organizations[0].members[1].email',
      inOrganization({ members: [member('Ada', 'OWNER'), member('ADA', 'ADMIN')] }),
    ],
    [
      'organizations[0].members[0].features.viewAllRecordings',
      inOrganization({ members: [member('Ada', 'OWNER', { viewAllRecordings: 1 })] }),
    ],
    ['organizations[0].folders[1].name', inOrganization({ folders: [folder('Board'), folder('Board')] })],
    [
      'organizations[0].folders[0].restrictedTo[0]',
      inOrganization({ members: [], folders: [folder('Board', { restrictedTo: ['ada@acme.test'] })] }),
    ],
    [
      'organizations[0].folders[0].restrictedTo[0]',
      inOrganization({ folders: [folder('Board', { restrictedTo: ['x@acme.test'] })] }),
    ],
    ['recordings[0].owner', { recordings: [recording('Nobody')] }],
    ['recordings[0].title', inFirst({ title: 'x'.repeat(501) })],
    ['recordings[0].status', inFirst({ status: 'DONE' })],
    ['recordings[0].progress', inFirst({ progress: 1.5 })],
    ['recordings[0].notes', inFirst({ notes: 'x'.repeat(100_001) })],
    ['recordings[0].endedAt', inFirst({ startedAt: '2026-02-02', endedAt: '2026-02-01' })],
    [
      'recordings[1].id',
      { users: [adaUser], recordings: [recording('Ada', { id: twin }), recording('Ada', { id: twin })] },
    ],
    ['recordings[0].organization', inFirst({ organization: 'Nowhere' })],
    ['recordings[0].folder', inFirst({ folder: 'Board' })],
    ['recordings[0].media', inFirst({ media: 'missing.mp4' })],
    ['recordings[0].transcript', inFirst({ transcript: 'missing.vtt' })],
    ['recordings[0].transcript', inFirst({ transcript: 'broken.vtt' })],
    ['recordings[0].transcript', inFirst({ transcript: 'words.txt' })],
    ['recordings[0].transcript', inFirst({ transcript: { turns: [] } })],
    ['recordings[0].transcript.language', inFirst({ transcript: { language: 'English!', segments: [] } })],
    ['recordings[0].transcript.segments[1].end', segment({ end: 0.5 })],
    ['recordings[0].transcript.segments[1].confidence', segment({ confidence: 2 })],
    ['recordings[0].summary.topics[0].title', inFirst({ summary: { topics: [{ keyPoints: [] }] } })],
    ['recordings', { recordings: {} }],
  ])('is reported with its path: %s', async (path, workspace) => {
    const files = { 'broken.vtt': 'WEBVTT\n\n00:00:05.000 --> 00:00:01.000\nx\n', 'words.txt': 'just words' };
    const error = await service.import(workspace, files).then(
      () => new Error('Nothing was refused'),
      (refusal: Error) => refusal,
    );
    expect(error.message).toContain(`${path}: `);
    expect(error.message.split('\n')[0]?.startsWith(`${path}: `)).toBe(true);
    expect(error.message).not.toMatch(/Invalid|expected|received/);
  });

  it.each([
    [{ users: [{ name: 'Ada' }] }, 'users[0].email: is missing'],
    [{ users: [user('Ada'), 'Grace'] }, 'users[1]: must be an object'],
    [{ users: {} }, 'users: must be a list'],
    [[], 'workspace: must be an object'],
    [{ users: [{ ...adaUser, id: 7 }] }, 'users[0].id: must be a UUID'],
    [
      { users: [{ ...adaUser, email: 7 }] },
      'users[0].email: must be an e-mail address of at most 254 characters',
    ],
    [
      { users: [{ ...adaUser, apiKeys: [{ name: 'x', key: 7 }] }] },
      'users[0].apiKeys[0].key: must be mrs_ followed by 20 to 60 letters and digits',
    ],
    [inOrganization({ name: 7 }), 'organizations[0].name: must be text of 1 to 200 characters'],
    [inOrganization({ name: 'x'.repeat(201) }), 'organizations[0].name: must be text of 1 to 200 characters'],
    [
      inOrganization({ plan: 'GOLD' }),
      'organizations[0].plan: must be one of FREE, PRO, ENTERPRISE, not "GOLD"',
    ],
    [
      inOrganization({ plan: `\u001b[2J${'x'.repeat(5_000)}` }),
      `organizations[0].plan: must be one of FREE, PRO, ENTERPRISE, not " [2J${'x'.repeat(36)}..."`,
    ],
    [inOrganization({ plan: 7 }), 'organizations[0].plan: must be one of FREE, PRO, ENTERPRISE'],
    [
      inOrganization({ features: { sharing: 'yes' } }),
      'organizations[0].features.sharing: must be true or false',
    ],
    [
      inOrganization({ members: [{ email: 'ada@acme.test' }] }),
      'organizations[0].members[0].role: is missing',
    ],
    [inOrganization({ colour: 'red' }), 'organizations[0]: has the unknown field "colour"'],
    [inFirst({ a: 1, 'b\u001b': 2 }), 'recordings[0]: has unknown fields "a", "b "'],
    [inFirst({ progress: 'half' }), 'recordings[0].progress: must be a number from 0 to 1'],
    [inFirst({ notes: 7 }), 'recordings[0].notes: must be text of at most 100000 characters'],
    [
      inFirst({ startedAt: 7 }),
      'recordings[0].startedAt: must be an ISO 8601 time, such as 2026-01-31T09:30:00Z',
    ],
    [inFirst({ organization: 7 }), 'recordings[0].organization: must be a name'],
    [inFirst({ media: '' }), 'recordings[0].media: must be the path of a file'],
    [inFirst({ summary: 'text' }), 'recordings[0].summary: must be an object'],
    [inFirst({ summary: { topics: [{}] } }), 'recordings[0].summary.topics[0].title: must be text'],
  ])('says what would be right: %j', async (workspace, message) => {
    await expect(service.import(workspace)).rejects.toThrow(new Error(message));
  });

  it('is truncated, without control characters', async () => {
    const recordings = Array.from({ length: 1_200 }, () => recording('Ada', { title: '' }));
    const error = await service.import({ users: [adaUser], recordings }).then(
      () => new Error('Nothing was refused'),
      (refusal: Error) => refusal,
    );
    expect(error.message.split('\n')).toHaveLength(1_001);
    expect(error.message).toMatch(/\nand 200 more errors$/);
    await expect(
      service.import({
        users: [adaUser],
        recordings: [recording('Ada', { organization: 'No\u001b[2J\u0007where' })],
      }),
    ).rejects.toThrow('recordings[0].organization: no organization "No [2J where"');
  });

  it.each([
    ['empty.vtt', 'WEBVTT\n', 'contains no segment: there is no cue in it'],
    ['empty.json', '{"segments":[]}', 'contains no segment: there is no segment in it'],
    ['call.pdf', '%PDF-1.7', 'a PDF document is not read; send WebVTT '],
  ])('is reported with the name of the transcript file: %s', async (name, content, reason) => {
    await expect(service.import(inFirst({ transcript: name }), { [name]: content })).rejects.toThrow(
      `recordings[0].transcript: ${name}, ${reason}`,
    );
  });

  it.each([
    ['recordings[0]', inFirst({ titel: 'x' }), 'titel'],
    ['workspace', { user: [] }, 'user'],
    ['organizations[0].features', inOrganization({ features: { download: true } }), 'download'],
  ])('may be an unknown field, in %s', async (path, workspace, name) => {
    await expect(service.import(workspace)).rejects.toThrow(
      new RegExp(`^${path.replace(/[[\]]/g, '\\$&')}.*${name}`),
    );
  });

  it('is reported together with all others in the file', async () => {
    const workspace = inFirst({ title: '', status: 'DONE', progress: -1 });
    await expect(service.import(workspace)).rejects.toThrow(/title: .*\n.*status: .*\n.*progress: /);
  });

  it.each([
    ['media', '../url-signing-key'],
    ['media', 'link.mp4'],
    ['transcript', '../url-signing-key'],
  ])('may be a file from outside its folder, which is not read: %s %s', async (field, path) => {
    const inside = await mkdtemp(join(service.dataDir, 'workspace-'));
    await symlink('../url-signing-key', join(inside, 'link.mp4'));
    await writeFile(join(inside, 'workspace.json'), JSON.stringify(inFirst({ [field]: path })));
    await expect(
      service.app.get(WorkspaceReaderService).read(join(inside, 'workspace.json')),
    ).rejects.toThrow(`recordings[0].${field}: "${path}" is outside the folder of the workspace file`);
  });

  it('leaves nothing in the database', async () => {
    const rows: unknown[] = await service.dataSource.query(
      'SELECT id FROM users UNION ALL SELECT id FROM organizations UNION ALL SELECT id FROM recordings',
    );
    expect(rows).toEqual([]);
  });
});

describe('A caption file next to a workspace file', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')] });
  });
  afterAll(() => service.stop());

  it.each([
    [
      'call.vtt',
      VTT,
      [
        { id: 0, start: 1, end: 2.5, speaker: 'Ada', text: 'Good morning & welcome', confidence: 1 },
        { id: 1, start: 62, end: 63.25, speaker: 'Grace', text: 'Hello', confidence: 1 },
      ],
    ],
    [
      'call.srt',
      SRT,
      [
        { id: 0, start: 1, end: 2.5, speaker: 'Ada', text: 'Good morning', confidence: 1 },
        { id: 1, start: 3_600, end: 3_601, speaker: '', text: 'Bye', confidence: 1 },
      ],
    ],
  ])('becomes the transcript, with speakers and seconds: %s', async (name, content, segments) => {
    const own = recording('Ada', { transcript: name });
    await service.import({ recordings: [own] }, { [name]: content });
    const ada = service.api.as(keyOf('Ada'));
    expect((await ada.get(`/recordings/${own.id}/transcript`)).body.data.segments).toEqual(segments);
  });
});
