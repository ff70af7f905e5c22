import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { folder, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import type { Client, Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const ROUNDS = 15;

interface Target {
  readonly home: string;
  readonly folder: string;
  readonly recording: string;
}

/** Requests that lock what the removal of a member locks too. They must neither wait for each other without end nor fail. */
describe('a member leaves while a request of theirs is under way', () => {
  let service: TestService;
  const [mia, rex] = [user('Mia'), user('Rex')];

  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_COSTLY_PER_MINUTE: '0' });
    await service.import({ users: [mia, rex] });
  });
  afterAll(() => service.stop());

  const as = (name: string): Client => service.api.as(keyOf(name));

  it.each<[string, (target: Target) => Promise<Reply>, number[]]>([
    [
      'moves to a folder',
      (to) => as('Mia').patch(`/recordings/${to.recording}`, { folder_id: to.folder }),
      [200],
    ],
    [
      'moves of others within it',
      (to) => as('Rex').patch(`/recordings/${to.recording}`, { organization_id: to.home, folder_id: null }),
      [200],
    ],
    [
      'moves out of it',
      (to) => as('Mia').patch(`/recordings/${to.recording}`, { organization_id: null }),
      [200],
    ],
    ['share links', (to) => as('Mia').post(`/recordings/${to.recording}/share-link`, { label: 'x' }), [201]],
    ['titles', (to) => as('Mia').patch(`/recordings/${to.recording}`, { title: 'x' }), [200]],
    [
      'bulk deletions',
      (to) => as('Mia').post('/recordings/bulk', { ids: [to.recording], action: 'delete' }),
      [200],
    ],
    [
      'new recordings',
      (to) => as('Mia').post('/recordings', { title: 'x', organization_id: to.home, media: 'none' }),
      [201, 403],
    ],
  ])('%s', async (_, send, done) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const shelf = folder('Shelf');
      const home = organization(`Home ${Math.random()}`, {
        members: [member('Mia', 'OWNER'), member('Rex', 'OWNER')],
        folders: [shelf],
      });
      const made = recording('Mia', { organization: home.name });
      await service.import({ organizations: [home], recordings: [made] });
      const sent = send({ home: home.id, folder: shelf.id, recording: made.id });
      await setTimeout(round);
      const left = await as('Mia').delete(`/organizations/${home.id}/members/${mia.id}`);
      // 404 for what Mia cannot see any more.
      expect([left.status, [...done, 404].includes((await sent).status)]).toEqual([200, true]);
      const owners = await service.dataSource.query(
        'SELECT DISTINCT owner_id FROM recordings WHERE organization_id = $1 AND owner_id <> $2',
        [home.id, rex.id],
      );
      expect(owners).toEqual([]);
    }
  });
});
