import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  emailOf,
  folder,
  keyOf,
  member,
  organization,
  recording,
  transcript,
  user,
} from '../factories/workspace.js';
import { readFileSync } from 'node:fs';
import { operationsOf, type ApiDocument } from '../support/api-document.js';
import { outcome, type Client, type Reply } from '../support/client.js';
import { isReplay, keyed } from '../support/idempotency.js';
import { startService, type TestService } from '../support/service.js';

/**
 * Every operation that takes an `Idempotency-Key`: while a right is withdrawn, a repeated request gets what the same
 * request gets without the key, and once the right is back, its first reply.
 */

type Made = Readonly<Record<string, string>>;
type Sent = readonly [path: string, body?: object];

const plans = folder('Plans');
const acme = organization('Acme', {
  members: [member('Ada', 'OWNER'), member('Olga', 'OWNER'), member('Bob', 'EDITOR')],
  folders: [plans],
});
const beta = organization('Beta', { members: [member('Ada', 'EDITOR'), member('Olga', 'OWNER')] });
const gamma = organization('Gamma', { members: [member('Olga', 'OWNER')] });
const people = { ada: user('Ada'), bob: user('Bob'), olga: user('Olga') };
/** Of another member, and in no folder: seen by those who see everything. */
const his = { organization: 'Acme', transcript: transcript(3) };
const meeting = recording('Bob', { ...his, title: 'Depot' });
const video = recording('Bob', { organization: 'Acme', status: 'UPLOADING' });
const own = recording('Ada', { transcript: transcript(3) });
const OF_MEETING = `/recordings/${meeting.id}`;
const OF_ACME = `/organizations/${acme.id}`;

/** SQL that withdraws a right of Ada, and gives it back. */
const KEY = `UPDATE api_keys SET %s WHERE user_id = '${people.ada.id}' AND name = 'test'`;
const key = (assignment: string): string => KEY.replace('%s', assignment);
const rights: Readonly<Record<string, readonly [withdraw: string, giveBack: string]>> = {
  scopes: [key(`scopes = '{events:read}'`), key('scopes = NULL')],
  'the reach of organizations': [key(`organization_ids = '{${gamma.id}}'`), key('organization_ids = NULL')],
  'the reach of recordings in no folder': [
    key(`organization_ids = '{${acme.id}}', folder_ids = '{${plans.id}}'`),
    key('organization_ids = NULL, folder_ids = NULL'),
  ],
  'a life that the organization accepts': [
    `UPDATE organizations SET api_key_max_days = 1 WHERE name <> 'Delta'`,
    'UPDATE organizations SET api_key_max_days = NULL',
  ],
  'the role of an OWNER': [
    `UPDATE organization_members SET role = 'ADMIN' WHERE organization_id = '${acme.id}' AND user_id = '${people.ada.id}'`,
    `UPDATE organization_members SET role = 'OWNER' WHERE organization_id = '${acme.id}' AND user_id = '${people.ada.id}'`,
  ],
  'any role but that of a VIEWER': [
    `CREATE TABLE kept_roles AS SELECT * FROM organization_members WHERE user_id = '${people.ada.id}';
     UPDATE organization_members SET role = 'VIEWER' WHERE user_id = '${people.ada.id}'`,
    `UPDATE organization_members m SET role = k.role FROM kept_roles k
     WHERE k.organization_id = m.organization_id AND k.user_id = m.user_id;
     DROP TABLE kept_roles`,
  ],
  'the subscription': [
    `UPDATE organizations SET subscription_status = 'expired'`,
    `UPDATE organizations SET subscription_status = 'active'`,
  ],
  features: [
    `UPDATE organizations SET feature_sharing = false, feature_downloads = false, feature_transcription = false, feature_summaries = false, feature_questions = false`,
    `UPDATE organizations SET feature_sharing = true, feature_downloads = true, feature_transcription = true, feature_summaries = true, feature_questions = true`,
  ],
  'the rights of an operator': [
    `UPDATE users SET operator = false WHERE id = '${people.ada.id}'`,
    `UPDATE users SET operator = true WHERE id = '${people.ada.id}'`,
  ],
};
/** What ends with it does not come back. */
const LEAVING = `DELETE FROM organization_members WHERE user_id = '${people.ada.id}'`;

/** What each operation is sent, by what was made before. */
const OPERATIONS: Readonly<Record<string, (made: Made) => Sent>> = {
  'PATCH /me': () => ['/me', { name: 'Ada' }],
  'POST /api-keys': () => ['/api-keys', { name: 'Copy' }],
  'PATCH /api-keys/{id}': ({ key: id }) => [`/api-keys/${id}`, { name: 'Renamed' }],
  'POST /api-keys/{id}/rotate': ({ key: id }) => [`/api-keys/${id}/rotate`, {}],
  'POST /recordings': () => ['/recordings', { title: 'New', media: 'none', organization_id: acme.id }],
  'POST /recordings/bulk': () => [
    '/recordings/bulk',
    { action: 'move', ids: [meeting.id], organization_id: acme.id, mode: 'all' },
  ],
  'POST /recordings/{id}/upload': () => [`/recordings/${video.id}/upload`, { size: 100 }],
  'PATCH /recordings/{id}': () => [OF_MEETING, { title: 'Depot' }],
  'PATCH /recordings/{id}/transcript/speakers': () => [
    `${OF_MEETING}/transcript/speakers`,
    { from: 'Grace', to: 'Grace Hopper' },
  ],
  'PATCH /recordings/{id}/transcript/segments/{segmentId}': () => [
    `${OF_MEETING}/transcript/segments/0`,
    { text: 'Corrected' },
  ],
  'POST /recordings/{id}/transcript/revisions/{revision}/restore': () => [
    `${OF_MEETING}/transcript/revisions/1/restore`,
  ],
  'POST /recordings/{id}/transcription': () => [`${OF_MEETING}/transcription`, {}],
  'POST /recordings/{id}/summary': () => [`${OF_MEETING}/summary`],
  'POST /recordings/{id}/summary/revisions/{revision}/restore': () => [
    `${OF_MEETING}/summary/revisions/1/restore`,
  ],
  'PATCH /recordings/{id}/action-items/{actionItemId}': ({ item }) => [
    `${OF_MEETING}/action-items/${item}`,
    { done: true },
  ],
  'POST /recordings/{id}/questions': () => [`${OF_MEETING}/questions`, { question: 'Sentence 2?' }],
  'POST /questions': () => ['/questions', { question: 'Sentence 2?', organization_id: acme.id }],
  'POST /recordings/{id}/share-link': () => [`${OF_MEETING}/share-link`, { permission: 'download' }],
  'PATCH /recordings/{id}/share-links/{linkId}': ({ link }) => [
    `${OF_MEETING}/share-links/${link}`,
    { label: 'Board' },
  ],
  'POST /organizations': () => ['/organizations', { name: 'Delta' }],
  'PATCH /organizations/{id}': () => [OF_ACME, { name: 'Acme' }],
  'POST /organizations/{id}/folders': () => [`${OF_ACME}/folders`, { name: 'Minutes' }],
  'PATCH /organizations/{id}/folders/{folderId}': () => [`${OF_ACME}/folders/${plans.id}`, { name: 'Plans' }],
  'PATCH /organizations/{id}/members/{userId}': () => [
    `${OF_ACME}/members/${people.bob.id}`,
    { features: { downloads: true } },
  ],
  'POST /organizations/{id}/transfer': () => [`${OF_ACME}/transfer`, { user_id: people.bob.id }],
  'POST /organizations/{id}/transfer/accept': () => [`/organizations/${beta.id}/transfer/accept`],
  'POST /organizations/{id}/invitations': () => [
    `${OF_ACME}/invitations`,
    { email: 'new@acme.test', role: 'ADMIN' },
  ],
  'POST /organizations/{id}/invitations/{invitationId}/resend': ({ invitation }) => [
    `${OF_ACME}/invitations/${invitation}/resend`,
  ],
  'POST /invitations/accept': ({ token }) => ['/invitations/accept', { token }],
  'POST /organizations/{id}/service-accounts': () => [
    `${OF_ACME}/service-accounts`,
    { name: 'Sync', role: 'ADMIN' },
  ],
  'PATCH /organizations/{id}/service-accounts/{accountId}': ({ account }) => [
    `${OF_ACME}/service-accounts/${account}`,
    { name: 'Robot' },
  ],
  'POST /organizations/{id}/service-accounts/{accountId}/keys': ({ account }) => [
    `${OF_ACME}/service-accounts/${account}/keys`,
    { name: 'Second' },
  ],
  'POST /organizations/{id}/service-accounts/{accountId}/keys/{keyId}/rotate': ({ account, accountKey }) => [
    `${OF_ACME}/service-accounts/${account}/keys/${accountKey}/rotate`,
    {},
  ],
  'PATCH /users/{id}': () => [`/users/${people.bob.id}`, { name: 'Bob' }],
  'POST /webhooks': () => [
    '/webhooks',
    { url: 'https://hooks.acme.test/1', types: ['*'], organization_id: acme.id },
  ],
  'PATCH /webhooks/{id}': ({ webhook }) => [`/webhooks/${webhook}`, { description: 'Ours' }],
  'POST /webhooks/{id}/rotate-secret': ({ webhook }) => [`/webhooks/${webhook}/rotate-secret`],
  'POST /webhooks/{id}/test': ({ webhook }) => [`/webhooks/${webhook}/test`],
  'POST /webhooks/{id}/deliveries/{deliveryId}/replay': ({ webhook, delivery }) => [
    `/webhooks/${webhook}/deliveries/${delivery}/replay`,
  ],
};

/** They can be carried out once. */
const USED_UP = new Set(['POST /organizations/{id}/transfer/accept', 'POST /invitations/accept']);
const KEY_RIGHTS = new Set(Object.keys(rights).slice(0, 2));
const REFUSED = [
  expect.any(Number),
  expect.stringMatching(/^(FORBIDDEN|\w+_NOT_FOUND|IDEMPOTENCY_REPLY_LOST)$/),
];

/** Where the first replies have secrets. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  'POST /api-keys': ['key'],
  'POST /api-keys/{id}/rotate': ['key'],
  'POST /organizations/{id}/invitations': ['invite_url', 'invite_token'],
  'POST /organizations/{id}/invitations/{invitationId}/resend': ['invite_url', 'invite_token'],
  'POST /organizations/{id}/service-accounts': ['api_key.key'],
  'POST /organizations/{id}/service-accounts/{accountId}/keys': ['key'],
  'POST /organizations/{id}/service-accounts/{accountId}/keys/{keyId}/rotate': ['key'],
  'POST /webhooks': ['secret'],
  'POST /webhooks/{id}/rotate-secret': ['secret'],
};
const read = ({ data }: Reply['body'], path: string): string | null =>
  path.split('.').reduce((value, name) => value[name], data);

const isRefusal = ({ status, body }: Reply): boolean =>
  [401, 402, 403, 404].includes(status) && body.error.code !== 'TRANSCRIPT_REVISION_NOT_FOUND';
const codes = (replies: Iterable<readonly [string, Reply]>): string[] =>
  [...replies].map(([name, reply]) => [name, ...outcome(reply)].join(' '));

function takingKeys(): string[] {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as ApiDocument;
  return operationsOf(document)
    .filter(([, { parameters = [] }]) => JSON.stringify(parameters).includes('Idempotency-Key'))
    .map(([name]) => name.replace('/api/v1', ''));
}

describe('a repeated request with an Idempotency-Key', () => {
  let service: TestService;
  let ada: Client;
  let made: Made;
  const first = new Map<string, Reply>();

  const send = (name: string, options = {}): Promise<Reply> => {
    const [path, body] = OPERATIONS[name]!(made);
    return ada.request(name.split(' ')[0]!, path, { body, ...options });
  };
  const once = (name: string) => keyed(name.replace(' ', ':'));
  const created = async (replying: Promise<Reply>): Promise<Reply['body']> => {
    const { status, body } = await replying;
    expect([status, body]).toEqual([expect.any(Number), { data: expect.anything() }]);
    return body.data;
  };

  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_COSTLY_PER_MINUTE: '0' });
    await service.import({
      users: Object.values(people),
      organizations: [acme, beta, gamma],
      recordings: [meeting, video, own],
    });
    await service.dataSource.query('UPDATE users SET operator = true WHERE id = $1', [people.ada.id]);
    ada = service.api.as(keyOf('Ada'));
    const olga = service.api.as(keyOf('Olga'));
    for (const text of ['One', 'Two']) {
      await created(ada.patch(`${OF_MEETING}/transcript/segments/1`, { text }));
      await created(
        ada.request('PUT', `${OF_MEETING}/summary`, {
          body: { content: text, actionItems: [{ text: 'Call' }] },
        }),
      );
    }
    await created(olga.post(`/organizations/${beta.id}/transfer`, { user_id: people.ada.id }));
    const toAda = { email: emailOf('Ada'), role: 'EDITOR' };
    const invited = await created(olga.post(`/organizations/${gamma.id}/invitations`, toAda));
    const toCarl = { email: 'carl@acme.test', role: 'EDITOR' };
    const invitation = await created(ada.post(`${OF_ACME}/invitations`, toCarl));
    const account = await created(ada.post(`${OF_ACME}/service-accounts`, { name: 'Bot', role: 'EDITOR' }));
    const hook = { url: 'https://hooks.acme.test/0', types: ['*'], organization_id: acme.id };
    const { id: webhook } = await created(ada.post('/webhooks', hook));
    made = {
      key: (await created(ada.post('/api-keys', { name: 'Spare' }))).id,
      item: (await created(ada.get(`${OF_MEETING}/summary`))).actionItems[0].id,
      link: (await created(ada.post(`${OF_MEETING}/share-link`, { label: 'Team' }))).id,
      token: invited.invite_token,
      invitation: invitation.id,
      account: account.id,
      accountKey: account.api_key.id,
      webhook,
      delivery: (await created(ada.post(`/webhooks/${webhook}/test`))).id,
    };
    for (const name of Object.keys(OPERATIONS)) first.set(name, await send(name, once(name)));
  });
  afterAll(() => service.stop());

  it('is tried with every operation that takes one', () => {
    expect(Object.keys(OPERATIONS)).toEqual(takingKeys());
    const refused = [...first].filter(([, { status }]) => status >= 300);
    // Without media, but that is found out after everything else.
    expect(refused.map(([name, { status }]) => [name, status])).toEqual([
      ['POST /recordings/{id}/transcription', 409],
    ]);
  });

  const isLikeAnyOther = async (right: string): Promise<void> => {
    const [withdraw, giveBack] = rights[right] ?? [LEAVING, null];
    const [repeated, fresh] = [new Map<string, Reply>(), new Map<string, Reply>()];
    await service.dataSource.query(withdraw);
    try {
      for (const name of first.keys()) repeated.set(name, await send(name, once(name)));
      for (const name of first.keys()) fresh.set(name, await send(name));
    } finally {
      if (giveBack !== null) await service.dataSource.query(giveBack);
    }
    const refused = [...fresh].filter(([name, reply]) => !USED_UP.has(name) && isRefusal(reply));
    if (giveBack === null || KEY_RIGHTS.has(right))
      for (const name of USED_UP) expect([name, outcome(repeated.get(name)!)]).toEqual([name, REFUSED]);
    const isLost = ([, { body }]: readonly [string, Reply]): boolean =>
      body.error?.code === 'IDEMPOTENCY_REPLY_LOST';
    // Asked again, a question about all recordings would be answered from others.
    const lost = [...repeated].filter((one) => !USED_UP.has(one[0]) && isLost(one));
    if (giveBack !== null)
      expect(lost.map(([name]) => name)).toEqual(lost.length > 0 ? ['POST /questions'] : []);
    const others = [...repeated].filter((one) => !USED_UP.has(one[0]) && !isReplay(one[1]) && !isLost(one));
    const expected = refused.filter(([name]) => !lost.some(([of]) => of === name));
    expect(codes(others)).toEqual(codes(expected));
  };

  it.each(Object.keys(rights))('is refused like any other after the loss of %s', isLikeAnyOther);

  it('gets its first reply while nothing is missing', async () => {
    for (const name of first.keys()) {
      const { status, body } = first.get(name)!;
      const again = await send(name, once(name));
      expect([name, again.status, isReplay(again)]).toEqual([name, status, true]);
      const { notice, ...kept } = again.body;
      const secrets = SECRETS[name] ?? [];
      expect([name, notice]).toEqual([
        name,
        secrets.length > 0 ? expect.stringMatching(/POST \S+/) : undefined,
      ]);
      for (const secret of secrets) {
        expect([name, read(body, secret)]).toEqual([
          name,
          expect.stringMatching(/^(mrs_|whsec_|inv_|https?:)/),
        ]);
        expect(read(kept, secret)).toBeNull();
        expect(JSON.stringify(again.body)).not.toContain(read(body, secret));
      }
      if (secrets.length === 0) expect([name, kept]).toEqual([name, body]);
    }
  });

  it('is refused like any other after the loss of memberships', () => isLikeAnyOther('memberships'));
});
