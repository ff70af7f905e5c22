import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  emailOf,
  folder,
  keyOf,
  member,
  organization,
  ownDeletion,
  recording,
  user,
} from '../../factories/workspace.js';
import { changesOf, type LoggedChange } from '../../support/changes.js';
import { cheapPasswords } from '../../support/passwords.js';
import { startService, type TestService } from '../../support/service.js';

const typesOf = (changes: readonly LoggedChange[]): string[] => changes.map(({ type }) => type);

describe('the change log', () => {
  cheapPasswords();
  let service: TestService;
  const [ada, grace, linus] = [user('Ada'), user('Grace'), user('Linus')];
  const board = folder('Board', { restrictedTo: [emailOf('Grace')] });
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')],
    folders: [board],
  });
  const beta = organization('Beta', { members: [member('Ada', 'OWNER')] });
  const own = recording('Ada');
  const shared = recording('Ada', { organization: 'Acme', folder: 'Board' });

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [ada, grace, linus],
      organizations: [acme, beta],
      recordings: [own, shared],
    });
  });
  afterAll(() => service.stop());

  const changes = (work: () => Promise<unknown>) => changesOf(service.dataSource, work);
  const as = (name: string) => service.api.as(keyOf(name));

  it('says who, with which key, in which request and from where', async () => {
    const [key]: { id: string }[] = await service.dataSource.query(
      'SELECT id FROM api_keys WHERE user_id = $1',
      [ada.id],
    );
    const logged = await changes(() =>
      as('Ada').patch(
        `/recordings/${own.id}`,
        { title: 'Renamed' },
        { headers: { 'X-Request-Id': 'try-1' } },
      ),
    );
    expect(logged).toMatchObject([
      {
        type: 'recording.updated',
        actor_kind: 'user',
        actor_id: ada.id,
        api_key_id: key?.id,
        request_id: 'try-1',
        organization_id: null,
        recording_id: own.id,
        target_id: own.id,
        user_id: ada.id,
        owner_id: ada.id,
        details: { fields: ['title'] },
      },
    ]);
    const [address]: { value: string }[] = await service.dataSource.query(
      'SELECT value FROM personal_details WHERE change_id = $1',
      [logged[0]?.id],
    );
    expect(address?.value).toBe('127.0.0.1');
  });

  it('says nothing of requests that change nothing or are refused', async () => {
    expect(
      await changes(async () => {
        await as('Ada').patch(`/recordings/${own.id}`, { title: 'Renamed' });
        await as('Grace').patch(`/recordings/${own.id}`, { title: 'Mine' });
        await as('Grace').delete(`/organizations/${acme.id}/members/${ada.id}`);
      }),
    ).toEqual([]);
  });

  it('has where a recording is, and a move between organizations on both sides', async () => {
    const moved = await changes(() =>
      as('Ada').patch(`/recordings/${shared.id}`, { organization_id: beta.id }),
    );
    expect(moved).toMatchObject([
      {
        type: 'recording.moved',
        organization_id: acme.id,
        owner_id: ada.id,
        folder_id: board.id,
        folder_access: 'restricted',
        details: {
          before: { organization_id: acme.id, folder_id: board.id },
          after: { organization_id: beta.id },
        },
      },
      { type: 'recording.moved', organization_id: beta.id, folder_id: null, folder_access: null },
    ]);
  });

  it('has every change of share links, without their secrets', async () => {
    const logged = await changes(async () => {
      const { body } = await as('Ada').post(`/recordings/${own.id}/share-link`, {
        label: 'Press',
        password: 'hush',
      });
      const { id: linkId } = (body as { data: { id: string } }).data;
      await as('Ada').patch(`/recordings/${own.id}/share-links/${linkId}`, { password: 'hush-hush' });
      await as('Ada').delete(`/recordings/${own.id}/share-links/${linkId}`);
    });
    expect(typesOf(logged)).toEqual(['share_link.created', 'share_link.changed', 'share_link.revoked']);
    expect(logged.map(({ actor_id: actor }) => actor)).toEqual([ada.id, ada.id, ada.id]);
    expect(JSON.stringify(logged)).not.toMatch(/hush|Press|shr_/);
  });

  it('has what happens to users, their keys and the ownership of organizations', async () => {
    const at = `/organizations/${acme.id}`;
    const logged = await changes(async () => {
      await as('Linus').patch('/me', { name: 'Linus T' });
      const { body } = await as('Linus').post('/api-keys', { name: 'laptop' });
      const { id: keyId } = (body as { data: { id: string } }).data;
      await as('Linus').delete(`/api-keys/${keyId}`);
      await as('Ada').post(`${at}/transfer`, { user_id: grace.id });
      await as('Grace').post(`${at}/transfer/accept`);
      await as('Grace').patch(`${at}/folders/${board.id}`, { name: 'Directors' });
      await as('Linus').delete(ownDeletion(emailOf('Linus')));
    });
    expect(typesOf(logged)).toEqual([
      'user.updated',
      'api_key.created',
      'api_key.revoked',
      'ownership_transfer.offered',
      'ownership_transfer.closed',
      'member.updated',
      'member.updated',
      'folder.updated',
      'user.deleted',
    ]);
    expect(logged.at(-2)?.details).toMatchObject({ fields: ['name'] });
    expect(JSON.stringify(logged)).not.toMatch(/Linus|laptop/);
  });

  it('has transcripts and summaries, and who corrected them', async () => {
    const talk = recording('Grace', {
      organization: 'Acme',
      transcript: { language: 'en', segments: [{ start: 0, end: 2, speaker: 'Ada', text: 'Hello' }] },
      summary: { content: '## Hello', topics: [] },
    });
    const imported = await changes(() =>
      service.import({ users: [], organizations: [], recordings: [talk] }),
    );
    expect(imported.map(({ type, actor_kind: kind }) => [type, kind])).toEqual([
      ['recording.created', 'command_line'],
      ['transcript.completed', 'command_line'],
      ['summary.completed', 'command_line'],
    ]);
    const corrected = await changes(async () => {
      await as('Grace').patch(`/recordings/${talk.id}/transcript/segments/0`, { text: 'Good morning' });
      await as('Grace').post(`/recordings/${talk.id}/summary`);
    });
    expect(corrected).toMatchObject([
      { type: 'transcript.corrected', actor_id: grace.id, details: { cause: 'correction' } },
    ]);
  });
});
