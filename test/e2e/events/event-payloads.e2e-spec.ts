import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { EventPayload } from '../../../src/contract/event-families.js';
import type { PublishedEvent } from '../../../src/modules/change-log/change-publishing.service.js';
import { EventPayloadsService } from '../../../src/modules/events/event-payloads.service.js';
import { emailOf, folder, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { eventsOf } from '../../support/events.js';
import { startService, type TestService } from '../../support/service.js';

describe('payloads of events', () => {
  let service: TestService;
  const [ada, grace, linus] = [user('Ada'), user('Grace'), user('Linus')];
  const board = folder('Board', { restrictedTo: [emailOf('Grace')] });
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR'), member('Linus', 'EDITOR')],
    folders: [board],
  });
  const plan = recording('Ada', { organization: 'Acme', folder: 'Board', title: 'Plan' });
  const doomed = recording('Ada', { organization: 'Acme', folder: 'Board' });

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({
      users: [ada, grace, linus],
      organizations: [acme],
      recordings: [plan, doomed],
    });
  });
  afterAll(() => service.stop());

  const as = (name: string) => service.api.as(keyOf(name));
  const events = (work: () => Promise<unknown>) => eventsOf(service, work);

  /** What a user is sent of events. */
  async function sent({ id }: { id: string }, published: readonly PublishedEvent[]): Promise<EventPayload[]> {
    const payloads = await service.app
      .get(EventPayloadsService)
      .of(service.dataSource.manager, id, published);
    return [...payloads.values()];
  }

  it('contain the organization, the member and the folder as the API shows them to the user', async () => {
    const changed = await events(async () => {
      await as('Ada').patch(`/organizations/${acme.id}`, { name: 'Acme Ltd' });
      await as('Ada').patch(`/organizations/${acme.id}/members/${grace.id}`, { role: 'VIEWER' });
      const { status } = await as('Ada').patch(`/organizations/${acme.id}/folders/${board.id}`, {
        name: 'Directors',
      });
      expect(status).toBe(200);
    });
    const members = await as('Linus').get(`/organizations/${acme.id}/members`);
    const folders = await as('Linus').get(`/organizations/${acme.id}/folders`);
    const details = await as('Linus').get(`/organizations/${acme.id}`);
    expect((await sent(linus, changed)).map(({ data }) => data)).toMatchObject([
      { organization_id: acme.id, organization: details.body.data },
      { user_id: grace.id, member: members.body.data.find(({ id }: { id: string }) => id === grace.id) },
      { folder_id: board.id, user_id: null, folder: folders.body.data[0] },
    ]);
  });

  it('take the same number of statements for any number of events', async () => {
    const many = await events(async () => {
      for (const title of ['One', 'Two', 'Three', 'Four'])
        await as('Ada').patch(`/recordings/${plan.id}`, { title });
      await as('Ada').post('/recordings', { title: 'Another', organizationId: acme.id });
    });
    const { manager } = service.dataSource;
    const query = jest.spyOn(manager, 'query');
    const statements = async (published: readonly PublishedEvent[]): Promise<number> => {
      query.mockClear();
      await service.app.get(EventPayloadsService).of(manager, ada.id, published);
      return query.mock.calls.length;
    };
    expect(await statements(many)).toBe(await statements(many.slice(0, 1)));
    query.mockRestore();
  });
});
