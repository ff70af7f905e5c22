import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client, Reply } from '../../support/client.js';
import type { TestService } from '../../support/service.js';
import {
  AMARA,
  demoService,
  filledIn,
  OPERATIONS,
  type Entered,
  type Operation,
} from '../../support/try-it-out.js';

const TAGS = new Set(['Organizations', 'Invitations', 'Users']);
const MANAGEMENT = OPERATIONS.filter(
  ({ tags, operationId }) => tags.some((tag) => TAGS.has(tag)) || operationId === 'changeRecordings',
).map(({ operationId }) => operationId);

const TOMAS = '019c416a-2000-7a02-8a00-5eed0000a002';
const WRENFIELD = '019c1d66-c3c0-7b01-8b00-5eed0000b001';

describe('"Try it out" of the operations that manage organizations and users', () => {
  let service: TestService;
  let amara: Client;
  const tried = new Set<string>();

  beforeAll(async () => {
    ({ service, amara } = await demoService());
  });
  afterAll(() => service.stop());

  const operation = (id: string): Operation => OPERATIONS.find(({ operationId }) => operationId === id)!;

  /** Sends what is filled in, with what is entered in its place, and expects that it succeeds. */
  async function send(client: Client, id: string, entered: Entered = {}): Promise<Reply['body']> {
    const { method } = operation(id);
    const request = filledIn(operation(id), entered);
    expect([id, request]).toEqual([id, expect.any(Array)]);
    const { status, body } = await client.request(method, ...request!);
    expect([id, body.error ?? null, status < 300]).toEqual([id, null, true]);
    tried.add(id);
    return body.data;
  }

  /** Invites with the body that is filled in, and accepts without a key; the client of the new member. */
  async function join(organization: string): Promise<{ userId: string; grace: Client }> {
    const { invite_token: token } = await send(amara, 'createInvitation', {
      parameters: { id: organization },
    });
    const { user, key } = await send(service.api, 'acceptInvitation', { body: { token } });
    return { userId: user.id, grace: service.api.as(key) };
  }

  it("each succeeds with the body that is filled in, once the ids of the user's own organization are entered", async () => {
    const { id } = await send(amara, 'createOrganization');
    const parameters = { id };
    await send(amara, 'listOrganizations');
    await send(amara, 'getOrganization', { parameters });
    await send(amara, 'updateOrganization', { parameters });
    await send(amara, 'updateOrganization', { parameters, example: 'features' });

    const { id: folderId } = await send(amara, 'createFolder', { parameters });
    await send(amara, 'listFolders', { parameters });
    await send(amara, 'updateFolder', { parameters: { id, folderId } });
    await send(amara, 'updateFolder', { parameters: { id, folderId }, example: 'open' });

    const withdrawn = await send(amara, 'createInvitation', { parameters });
    await send(amara, 'deleteInvitation', { parameters: { id, invitationId: withdrawn.id } });
    const limited = await send(amara, 'createInvitation', { parameters, example: 'limited' });
    await send(amara, 'resendInvitation', { parameters: { id, invitationId: limited.id } });
    await send(amara, 'listInvitations', { parameters });
    const { userId, grace } = await join(id);

    await send(amara, 'listMembers', { parameters });
    await send(amara, 'updateMember', { parameters: { id, userId } });
    await send(amara, 'updateMember', { parameters: { id, userId }, example: 'features' });

    await send(amara, 'offerTransfer', { parameters, body: { user_id: userId } });
    await send(amara, 'cancelTransfer', { parameters });
    await send(amara, 'offerTransfer', { parameters, body: { user_id: userId } });
    await send(grace, 'acceptTransfer', { parameters });
    await send(grace, 'offerTransfer', { parameters, body: { user_id: AMARA } });
    await send(amara, 'acceptTransfer', { parameters });

    await send(amara, 'removeMember', { parameters: { id, userId } });
    await send(amara, 'deleteFolder', { parameters: { id, folderId } });
    await send(amara, 'deleteOrganization', { parameters });
    await send(amara, 'updateMe');
    await send(grace, 'deleteMe');
    await send(amara, 'changeRecordings');

    await service.dataSource.query('UPDATE users SET operator = true WHERE id = $1', [AMARA]);
    const another = await send(amara, 'createOrganization');
    await send(amara, 'updateOrganization', { parameters: { id: another.id }, example: 'plan' });
    const other = await join(another.id);
    await send(amara, 'listUsers');
    await send(amara, 'updateUser', { parameters: { id: other.userId } });
    await send(amara, 'deleteUser', { parameters: { id: other.userId } });
    expect([...tried].sort()).toEqual([...MANAGEMENT].sort());
  });

  it('the ids that are filled in are those of the organization and of a member of the demo', async () => {
    const restricted = await send(amara, 'createFolder', { example: 'restricted' });
    expect(restricted.restricted_to).toEqual([TOMAS]);
    const offered = await send(amara, 'offerTransfer', { parameters: { id: WRENFIELD } });
    expect(offered.user_id).toBe(TOMAS);
    await send(amara, 'changeRecordings', { example: 'move' });
    const { userId } = await join(WRENFIELD);
    const parameter = operation('removeMember').parameters?.find(({ name }) => name === 'new_owner');
    const [, newOwner = ''] = /Example: `(.+)`/.exec(parameter?.description ?? '') ?? [];
    const parameters = { id: WRENFIELD, userId, new_owner: newOwner };
    await send(amara, 'removeMember', { parameters });
    expect(newOwner).toBe(TOMAS);
  });
});
