import { mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { folder, member, organization, recording, user } from '../../factories/workspace.js';
import { WorkspaceReaderService } from '../../../src/modules/workspace/workspace-reader.service.js';
import { startService, type TestService } from '../../support/service.js';

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
    [[], 'workspace: must be an object'],
    [{ users: {} }, 'users: must be a list'],
    [{ users: [user('Ada'), 'Grace'] }, 'users[1]: must be an object'],
    [{ users: [{ name: 'Ada' }] }, 'users[0].email: is missing'],
    [
      { users: [user('Ada', { email: 'ada' })] },
      'users[0].email: must be an e-mail address of at most 254 characters',
    ],
    [{ users: [user('Ada', { name: ' ' })] }, 'users[0].name: must be text of 1 to 200 characters'],
    [{ users: [{ ...adaUser, id: 7 }] }, 'users[0].id: must be a UUID'],
    [
      { users: [adaUser, user('Grace', { email: 'ADA@acme.test', apiKeys: [] })] },
      'users[1].email: duplicates users[0].email',
    ],
    [
      { users: [adaUser, user('Grace', { apiKeys: adaUser.apiKeys })] },
      'users[1].apiKeys[0].key: duplicates users[0].apiKeys[0].key',
    ],
    [
      withKey({ key: 'mrs_short' }),
      'users[0].apiKeys[0].key: must be mrs_ followed by 20 to 60 letters and digits',
    ],
    [
      withKey({ key: `mrs_${'x'.repeat(43)}`, expiresAt: '2026-02-30' }),
      'users[0].apiKeys[0].expiresAt: must be an ISO 8601 time, such as 2026-01-31T09:30:00Z',
    ],
    [
      inOrganization({ plan: `\u001b[2J${'x'.repeat(5_000)}` }),
      `organizations[0].plan: must be one of FREE, PRO, ENTERPRISE, not " [2J${'x'.repeat(36)}..."`,
    ],
    [
      inOrganization({ features: { sharing: 'yes' } }),
      'organizations[0].features.sharing: must be true or false',
    ],
    [
      inOrganization({ members: [{ email: 'ada@acme.test' }] }),
      'organizations[0].members[0].role: is missing',
    ],
    [
      inOrganization({ members: [member('Nobody', 'OWNER')] }),
      'organizations[0].members[0].email: no user "nobody@acme.test"',
    ],
    [
      inOrganization({ members: [], folders: [folder('Board', { restrictedTo: ['ada@acme.test'] })] }),
      'organizations[0].folders[0].restrictedTo[0]: "ada@acme.test" is not a member of the organization',
    ],
    [
      inOrganization({ colour: 'red' }),
      'organizations[0]: has the unknown field "colour" (allowed: id, name, plan, subscription, features, membersMayTakeRecordings, members, folders, glossary, externalId, metadata)',
    ],
    [inFirst({ a: 1, 'b\u001b': 2 }), 'recordings[0]: has unknown fields "a", "b "'],
    [inFirst({ progress: 'half' }), 'recordings[0].progress: must be a number from 0 to 1'],
    [
      inFirst({ notes: 'x'.repeat(100_001) }),
      'recordings[0].notes: must be text of at most 100,000 characters',
    ],
    [
      inFirst({ startedAt: '2026-02-02', endedAt: '2026-02-01' }),
      'recordings[0].endedAt: must not be before startedAt',
    ],
    [inFirst({ organization: 'Nowhere' }), 'recordings[0].organization: no organization "Nowhere"'],
    [inFirst({ folder: 'Board' }), 'recordings[0].folder: requires organization'],
    [inFirst({ media: 'missing.mp4' }), 'recordings[0].media: no readable file "missing.mp4"'],
    [inFirst({ summary: 7 }), 'recordings[0].summary: must be an object'],
    [inFirst({ summary: 'none.json' }), 'recordings[0].summary: no readable file "none.json"'],
    [inFirst({ owner: null }), 'recordings[0].owner: is required for a personal recording'],
    [
      inFirst({ metadata: { crm: 4711 } }),
      'recordings[0].metadata: must have text of at most 500 characters for the key "crm"',
    ],
    [
      {
        users: [adaUser],
        recordings: ['One', 'Two'].map((title) => recording('Ada', { title, externalId: 'CRM-1' })),
      },
      'recording "Two": externalId: "CRM-1" is that of another recording there',
    ],
    [
      inOrganization({ members: [], folders: ['A', 'B'].map((name) => folder(name, { externalId: 'F' })) }),
      'organizations[0].folders[1].externalId: "F" is that of another folder of the organization',
    ],
    [inFirst({ summary: { topics: [{}] } }), 'recordings[0].summary.topics[0].title: must be text'],
  ])('says where it is, and what would be right: %j', async (workspace, message) => {
    await expect(service.import(workspace)).rejects.toThrow(new Error(message));
  });

  it.each([
    ['transcript', { transcript: 'missing.vtt' }],
    ['transcript', { transcript: 'broken.vtt' }],
    ['transcript.language', { transcript: { language: 'English!', segments: [] } }],
    ['transcript.segments[0].end', { transcript: { segments: [{ start: 1, end: 0.5, text: 'x' }] } }],
  ])('is reported with its path: %s', async (path, overrides) => {
    const files = { 'broken.vtt': 'WEBVTT\n\n00:00:05.000 --> 00:00:01.000\nx\n' };
    await expect(service.import(inFirst(overrides), files)).rejects.toThrow(`recordings[0].${path}: `);
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
    ).rejects.toThrow('recordings[0].organization: must not contain control characters');
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
