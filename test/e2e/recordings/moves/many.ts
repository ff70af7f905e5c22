import { setTimeout } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { folder, keyOf, member, organization, recording, user } from '../../../factories/workspace.js';
import type { Reply } from '../../../support/client.js';
import type { TestService } from '../../../support/service.js';

const [ada, eve, vera] = [user('Ada'), user('Eve'), user('Vera')];
/** Whoever is in the workspace of these tests. */
export const MANY_USERS = [ada, eve, vera];

/** Moves this many recordings with one request, and deletes them with another. */
export async function movesAndDeletesMany(service: TestService, count: number): Promise<void> {
  const shelf = folder('Shelf');
  const home = organization(`Home of ${count}`, {
    members: [member('Ada', 'OWNER'), member('Eve', 'EDITOR'), member('Vera', 'VIEWER')],
    folders: [shelf],
  });
  const many = Array.from({ length: count }, () => recording('Eve', { organization: home.name }));
  await service.import({ organizations: [home], recordings: many });
  const ids = many.map(({ id: one }) => one);
  const bulk = (body: object): Promise<Reply> =>
    service.api.as(keyOf('Eve')).post('/recordings/bulk', { ids, ...body });
  const got = (at: number): Promise<Reply> => service.api.as(keyOf('Vera')).get(`/recordings/${ids.at(at)}`);
  expect((await got(-1)).status).toBe(404);
  const moved = await bulk({ action: 'move', folder_id: shelf.id });
  expect([moved.status, moved.body.data.succeeded]).toEqual([200, count]);
  expect([(await got(0)).status, (await got(-1)).status]).toEqual([200, 200]);
  const deleted = await bulk({ action: 'delete' });
  expect([deleted.status, deleted.body.data.succeeded]).toEqual([200, count]);
  expect([(await got(0)).status, (await got(-1)).status]).toEqual([404, 404]);
}

/** Moves this many recordings to an organization that their owner leaves meanwhile, in each round a little later. */
export async function movesWhileTheOwnerLeaves(
  service: TestService,
  { count, rounds }: { readonly count: number; readonly rounds: number },
): Promise<void> {
  const as = (name: string) => service.api.as(keyOf(name));
  const members = [member('Ada', 'OWNER'), member('Vera', 'EDITOR')];
  const source = organization('Source', { members });
  const many = Array.from({ length: count }, () => recording('Vera', { organization: 'Source' }));
  const ids = many.map(({ id: one }) => one);
  await service.import({ organizations: [source], recordings: many });
  for (let round = 0; round < rounds; round += 1) {
    const home = organization(`Home ${round}`, { members });
    await service.import({ organizations: [home] });
    const moving = as('Ada').post('/recordings/bulk', { ids, action: 'move', organization_id: home.id });
    await setTimeout(round * 10);
    const left = await as('Vera').delete(`/organizations/${home.id}/members/${vera.id}`);
    const { status } = await moving;
    // Refused if Vera had left already, who would not see them there.
    expect([left.status, [200, 403]]).toEqual([200, expect.arrayContaining([status])]);
    const places = await service.dataSource.query(
      'SELECT DISTINCT owner_id AS owner, organization_id AS home FROM recordings WHERE id = ANY ($1)',
      [ids],
    );
    expect(places).toEqual([
      status === 200 ? { owner: ada.id, home: home.id } : { owner: vera.id, home: source.id },
    ]);
    await service.dataSource.query(
      'UPDATE recordings SET owner_id = $2, organization_id = $3 WHERE id = ANY ($1)',
      [ids, vera.id, source.id],
    );
  }
}
