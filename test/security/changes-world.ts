import { readFileSync } from 'node:fs';
import { LOGO } from '../support/logo.js';
import { expect } from '@jest/globals';
import { addParts, PARTS } from '../factories/parts.js';
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
import { operationsOf, type ApiDocument } from '../support/api-document.js';
import type { Client, Reply, RequestOptions } from '../support/client.js';
import { browserOf, issuerOf, OAuthApp } from '../support/oauth.js';
import { signedIn } from '../support/sessions.js';
import { startService, type TestService } from '../support/service.js';
import { uploadedDirectly } from '../support/uploads.js';

/** A world in which every operation that changes something succeeds for Ada, and what she sends. */

type Made = Readonly<Record<string, string>>;
type Sent = readonly [path: string, body?: object];

export const plans = folder('Plans');
export const acme = organization('Acme', {
  members: [member('Ada', 'OWNER'), member('Olga', 'OWNER'), member('Bob', 'EDITOR')],
  folders: [plans],
});
const beta = organization('Beta', { members: [member('Ada', 'EDITOR'), member('Olga', 'OWNER')] });
export const gamma = organization('Gamma', { members: [member('Olga', 'OWNER')] });
export const people = { ada: user('Ada'), bob: user('Bob'), olga: user('Olga') };
/** Of another member, and in no folder: seen by those who see everything. */
const his = { organization: 'Acme', transcript: transcript(3) };
const meeting = recording('Bob', { ...his, title: 'Depot' });
const video = recording('Bob', { organization: 'Acme', status: 'UPLOADING' });
const own = recording('Ada', { transcript: transcript(3) });
const [binned, purged] = [recording('Ada', { organization: 'Acme' }), recording('Ada')];
/** Ids of all recordings of this world. */
export const meetings = [meeting, video, own].map(({ id }) => id);
const OF_MEETING = `/recordings/${meeting.id}`;
const OF_ACME = `/organizations/${acme.id}`;

const HOLD = { matter: 'Case', reason: 'Letter', organization_id: acme.id };

/** What each operation that takes an `Idempotency-Key` is sent, by what was made before. */
export const REPEATABLE: Readonly<Record<string, (made: Made) => Sent>> = {
  'PATCH /me': () => ['/me', { name: 'Ada' }],
  'POST /api-keys': () => ['/api-keys', { name: 'Copy' }],
  'PATCH /api-keys/{id}': ({ key: id }) => [`/api-keys/${id}`, { name: 'Renamed' }],
  'POST /tokens': () => [
    '/tokens',
    { scopes: ['recordings:read'], recordings: [meeting.id], origins: ['https://app.acme.test'] },
  ],
  'POST /api-keys/{id}/rotate': ({ key: id }) => [`/api-keys/${id}/rotate`, {}],
  'POST /recordings': () => ['/recordings', { title: 'New', media: 'none', organization_id: acme.id }],
  'POST /recordings/bulk': () => [
    '/recordings/bulk',
    { action: 'move', ids: [meeting.id], organization_id: acme.id, mode: 'all' },
  ],
  'POST /deleted-recordings/{id}/restore': () => [`/deleted-recordings/${binned.id}/restore`],
  'POST /recordings/{id}/upload': () => [`/recordings/${video.id}/upload`, { size: 100 }],
  'POST /recordings/{id}/upload/complete': ({ direct }) => [`/recordings/${direct}/upload/complete`],
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
  ...ofMeeting(/^(POST|PATCH) /),
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
  'POST /organizations/{id}/erasures': () => [`${OF_ACME}/erasures`, { email: 'nobody@acme.test' }],
  'POST /organizations/{id}/erasures/{erasureId}/run': ({ erasure }) => [
    `${OF_ACME}/erasures/${erasure}/run`,
    {},
  ],
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
  'POST /recordings/{id}/exports': () => [`${OF_MEETING}/exports`],
  'POST /me/exports': () => ['/me/exports', {}],
  'POST /organizations/{id}/exports': () => [`${OF_ACME}/exports`, {}],
  'POST /users': () => ['/users', { name: 'Carla', email: 'carla@acme.test', email_verified: false }],
  'POST /users/{id}/api-keys': () => [`/users/${people.bob.id}/api-keys`, { name: 'Given' }],
  'PATCH /users/{id}': () => [`/users/${people.bob.id}`, { name: 'Bob' }],
  'POST /webhooks': () => [
    '/webhooks',
    { url: 'https://hooks.acme.test/1', types: ['*'], organization_id: acme.id },
  ],
  'PATCH /webhooks/{id}': ({ webhook }) => [`/webhooks/${webhook}`, { description: 'Ours' }],
  'POST /oauth-clients': () => [
    '/oauth-clients',
    {
      name: 'CRM',
      redirect_uris: ['https://crm.acme.test/back'],
      confidential: true,
      organization_id: acme.id,
    },
  ],
  'POST /legal-holds': () => ['/legal-holds', { ...HOLD, recording_ids: [meeting.id] }],
  'POST /legal-holds/{id}/lift': ({ hold }) => [`/legal-holds/${hold}/lift`],
  'POST /webhooks/{id}/rotate-secret': ({ webhook }) => [`/webhooks/${webhook}/rotate-secret`],
  'POST /webhooks/{id}/test': ({ webhook }) => [`/webhooks/${webhook}/test`],
  'POST /webhooks/{id}/deliveries/replay': ({ webhook }) => [
    `/webhooks/${webhook}/deliveries/replay`,
    { from: '2026-01-01' },
  ],
  'POST /webhooks/{id}/deliveries/{deliveryId}/replay': ({ webhook, delivery }) => [
    `/webhooks/${webhook}/deliveries/${delivery}/replay`,
  ],
};

/** The others that change something with an API key; what is deleted, last. */
const OTHERS: Readonly<Record<string, (made: Made) => Sent>> = {
  'PUT /recordings/{id}/transcript': () => [
    `${OF_MEETING}/transcript`,
    { segments: [{ start: 0, end: 1, text: 'New' }] },
  ],
  'PUT /recordings/{id}/summary': () => [`${OF_MEETING}/summary`, { content: 'New' }],
  'PUT /users/{id}': () => ['/users/ext:CRM-1', { name: 'Dan', email: 'dan@acme.test' }],
  'PUT /organizations/{id}/members/{userId}': () => [
    `${OF_ACME}/members/${people.bob.id}`,
    { role: 'EDITOR' },
  ],
  'PUT /organizations/{id}/audit-stream': () => [
    `${OF_ACME}/audit-stream`,
    { url: 'https://siem.example.com/' },
  ],
  'PUT /organizations/{id}/retention': () => [
    `${OF_ACME}/retention`,
    { rules: [{ removes: 'media', days: 900 }] },
  ],
  'PUT /organizations/{id}/glossary': () => [`${OF_ACME}/glossary`, { terms: [{ term: 'Kubernetes' }] }],
  'PUT /organizations/{id}/logo': () => [`${OF_ACME}/logo`, LOGO],
  'PUT /recordings/{id}/media': ({ begun }) => [`/recordings/${begun}/media`],
  'PUT /recordings/{id}/tracks/{trackId}/media': ({ trackId }) => [`${OF_MEETING}/tracks/${trackId}/media`],
  ...ofMeeting(/^(PUT|DELETE) /),
  'DELETE /organizations/{id}/transfer': () => [`${OF_ACME}/transfer`],
  'DELETE /organizations/{id}/invitations/{invitationId}': ({ invitation }) => [
    `${OF_ACME}/invitations/${invitation}`,
  ],
  'DELETE /organizations/{id}/service-accounts/{accountId}/keys/{keyId}': ({ account, accountKey }) => [
    `${OF_ACME}/service-accounts/${account}/keys/${accountKey}`,
  ],
  'DELETE /organizations/{id}/service-accounts/{accountId}': ({ account }) => [
    `${OF_ACME}/service-accounts/${account}`,
  ],
  'DELETE /organizations/{id}/audit-stream': () => [`${OF_ACME}/audit-stream`],
  'DELETE /organizations/{id}/voices/{voiceId}': ({ voice }) => [`${OF_ACME}/voices/${voice}`],
  'DELETE /organizations/{id}/logo': () => [`${OF_ACME}/logo`],
  'DELETE /organizations/{id}/folders/{folderId}': () => [`${OF_ACME}/folders/${plans.id}`],
  'DELETE /exports/{id}': ({ export: id }) => [`/exports/${id}`],
  'DELETE /webhooks/{id}': ({ webhook }) => [`/webhooks/${webhook}`],
  'DELETE /me/connections/{id}': ({ connection }) => [`/me/connections/${connection}`],
  'DELETE /oauth-clients/{id}': ({ oauthClient }) => [`/oauth-clients/${oauthClient}`],
  'DELETE /me/sessions/{id}': ({ session }) => [`/me/sessions/${session}`],
  'DELETE /me/sessions': () => ['/me/sessions'],
  'DELETE /api-keys/{id}': ({ key }) => [`/api-keys/${key}`],
  'DELETE /deleted-recordings/{id}': () => [`/deleted-recordings/${purged.id}`],
  'DELETE /recordings/{id}': () => [`/recordings/${own.id}`],
  'DELETE /organizations/{id}/members/{userId}': () => [`${OF_ACME}/members/${people.bob.id}`],
  'DELETE /users/{id}': () => [`/users/${people.bob.id}`],
  'DELETE /organizations/{id}': () => [`${OF_ACME}?recordings=delete`],
  'DELETE /me': () => [`/me?confirm=${emailOf('Ada')}`],
};
export const CHANGES = { ...REPEATABLE, ...OTHERS };

/** The requests of parts of the meeting whose names match. */
function ofMeeting(pattern: RegExp): Record<string, (made: Made) => Sent> {
  const all = PARTS.flatMap(({ parameter, requests }) =>
    Object.entries(requests).map(([name, body]): [string, (made: Made) => Sent] => [
      name,
      (made) => [
        name
          .replace(/^.* /, '')
          .replace('{id}', meeting.id)
          .replace(`{${parameter}}`, made[parameter] ?? ''),
        body('Board'),
      ],
    ]),
  );
  return Object.fromEntries(all.filter(([name]) => pattern.test(name)));
}

interface DocumentedOperation {
  readonly parameters?: readonly object[];
  readonly security?: readonly { readonly bearer?: readonly string[] }[];
}

/** The operations of the document with an API key, with the scopes that each requires. */
export function documented(): [name: string, takesKey: boolean, scopes: readonly string[]][] {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as ApiDocument;
  return operationsOf(document).map(([name, operation]) => {
    const { parameters = [], security = [] } = operation as DocumentedOperation;
    const takesKey = JSON.stringify(parameters).includes('Idempotency-Key');
    return [name.replace('/api/v1', ''), takesKey, security.flatMap(({ bearer = [] }) => bearer)];
  });
}

export class ChangesWorld {
  private constructor(
    readonly service: TestService,
    readonly ada: Client,
    private readonly made: Made,
  ) {}

  static async start(): Promise<ChangesWorld> {
    const service = await startService({
      RATE_LIMIT_PER_MINUTE: '0',
      RATE_LIMIT_COSTLY_PER_MINUTE: '0',
      BIN_DAYS: '1',
    });
    await service.import({
      users: Object.values(people),
      organizations: [acme, beta, gamma],
      recordings: [meeting, video, own, binned, purged],
    });
    await service.dataSource.query('UPDATE users SET operator = true WHERE id = $1', [people.ada.id]);
    const ada = service.api.as(keyOf('Ada'));
    for (const { id } of [binned, purged]) await created(ada.delete(`/recordings/${id}`));
    const made = await prepare(ada, service.api.as(keyOf('Olga')));
    const [session] = await created((await signedIn(service, ada)).get('/me/sessions'));
    const connection = await connect(service, ada);
    const direct = (await created(ada.post('/recordings', { title: 'Hall' }))).id;
    await uploadedDirectly(service, ada, direct);
    const [voice] = await service.dataSource.query(
      `INSERT INTO transcript_voices VALUES ($1, 0, $2, 'Grace', now(), 9, 'voices.onnx', '')
       RETURNING md5(organization_id::text || 'grace')::uuid AS id`,
      [own.id, acme.id],
    );
    return new ChangesWorld(service, ada, {
      ...made,
      session: session.id,
      connection,
      direct,
      voice: voice.id,
    });
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  send(name: string, options: RequestOptions = {}): Promise<Reply> {
    const [path, body] = this.sent(name);
    return this.ada.request(name.split(' ')[0]!, path, { body, ...options });
  }

  sent(name: string): Sent {
    return CHANGES[name]!(this.made);
  }
}

async function prepare(ada: Client, olga: Client): Promise<Made> {
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
  const account = await created(
    ada.post(`${OF_ACME}/service-accounts`, { name: 'Bot', role: 'EDITOR', scopes: ['keys:manage'] }),
  );
  const added = await addParts(ada, meeting.id, 'Team');
  const hook = { url: 'https://hooks.acme.test/0', types: ['*'], organization_id: acme.id };
  const registered = { name: 'App', redirect_uris: ['app.acme.test:/back'], organization_id: acme.id };
  const { id: webhook } = await created(ada.post('/webhooks', hook));
  return {
    key: (await created(ada.post('/api-keys', { name: 'Spare', scopes: ['keys:manage'] }))).id,
    begun: (await created(ada.post('/recordings', { title: 'Hall' }))).id,
    item: (await created(ada.get(`${OF_MEETING}/summary`))).actionItems[0].id,
    ...Object.fromEntries(PARTS.map(({ parameter, table }) => [parameter, added[table].id])),
    token: invited.invite_token,
    invitation: invitation.id,
    erasure: (await created(ada.post(`${OF_ACME}/erasures`, { email: 'gone@acme.test' }))).id,
    account: account.id,
    accountKey: account.api_key.id,
    webhook,
    export: (await created(ada.post(`${OF_MEETING}/exports`))).id,
    oauthClient: (await created(ada.post('/oauth-clients', registered))).id,
    hold: (await created(ada.post('/legal-holds', { ...HOLD, user_ids: [people.bob.id] }))).id,
    delivery: (await created(ada.post(`/webhooks/${webhook}/test`))).id,
  };
}

/** Returns the id of the connection of an app. */
async function connect(service: TestService, ada: Client): Promise<string> {
  const app = await OAuthApp.register(issuerOf(service));
  await app.connect(await browserOf(service, 'Ada'));
  const [{ id }] = await created(ada.get('/me/connections'));
  return id;
}

async function created(replying: Promise<Reply>): Promise<Reply['body']> {
  const { status, body } = await replying;
  expect([status, body]).toEqual([expect.any(Number), { data: expect.anything() }]);
  return body.data;
}
