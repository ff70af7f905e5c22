import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import {
  CHANGE_CATALOG,
  CHANGE_TYPES,
  type ChangeTypeName,
} from '../../../src/contract/changes/change-catalog.js';
import { EVENT_TYPES } from '../../../src/contract/changes/event-families.js';
import type { EventPayload } from '../../../src/contract/changes/event-families.js';
import type { PublishedEvent } from '../../../src/modules/events/public/published-event.js';
import { RetentionRunsService } from '../../../src/modules/retention/retention-runs.service.js';
import { EventPayloadsService } from '../../../src/modules/events/event-payloads.service.js';
import { withoutKey } from '../../../src/policy/caller.js';
import { PARTS, sendToPart } from '../../factories/parts.js';
import { emailOf, folder, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { AccountPage } from '../../support/account-page.js';
import { addPasskey } from '../../support/authenticator.js';
import { closed, openapi } from '../../support/contract.js';
import { expectNone } from '../../support/proofs.js';
import { eventsOf } from '../../support/events.js';
import { browserOf, issuerOf, OAuthApp } from '../../support/oauth.js';
import { cheapPasswords } from '../../support/passwords.js';
import { signedIn } from '../../support/sessions.js';
import { eventually, startService, WITH_TRANSCRIBER, type TestService } from '../../support/service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { createdWebhook, deliveriesOf } from '../../support/webhooks.js';

interface Webhook {
  readonly post: { readonly requestBody: { readonly content: { readonly 'application/json': Sent } } };
}
interface Sent {
  readonly schema: { readonly properties: { readonly data: { readonly $ref: string } } };
}
const { webhooks, components } = openapi as unknown as {
  webhooks: Record<string, Webhook>;
  components: object;
};

const SEGMENTS = [{ start: 0, end: 2, speaker: 'Ada', text: 'Hello' }];

describe('every type of event', () => {
  cheapPasswords();
  let service: TestService;
  const ajv = new Ajv({ strict: false, allErrors: true });
  const [ada, grace, linus, op] = ['Ada', 'Grace', 'Linus', 'Op'].map((name) => user(name));
  const board = folder('Board', { restrictedTo: [emailOf('Grace')] });
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')],
    folders: [board, folder('Old')],
  });
  const talk = recording('Ada', {
    organization: 'Acme',
    transcript: { language: 'en', segments: SEGMENTS },
    summary: { content: '## Hello', topics: [], actionItems: [{ text: 'Reply' }] },
  });
  const sent = new Map<string, { event: PublishedEvent; payload: EventPayload }>();
  const published = new Set<string>();

  beforeAll(async () => {
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'openapi', components: closed(components) as object });
    service = await startService({ ...WITH_TRANSCRIBER, ALLOW_PRIVATE_ADDRESSES: 'true' }, { worker: true });
    await service.import({ users: [ada, grace, linus, op] });
    await service.dataSource.query('UPDATE users SET operator = true WHERE id = $1', [op?.id]);
    const payloads = service.app.get(EventPayloadsService);
    const events = await eventsOf(service, everything);
    for (const { type } of events) published.add(type);
    for (const viewer of [ada, grace, linus]) {
      const found = await payloads.read(service.dataSource.manager, withoutKey(viewer?.id ?? ''), events);
      for (const event of events) {
        const payload = found.get(event.position);
        if (payload) sent.set(`${event.position} ${viewer?.name}`, { event, payload });
      }
    }
  });
  afterAll(() => service.stop());

  const as = (name: string) => service.api.as(keyOf(name));
  const sql = (statement: string, values: readonly unknown[] = []) =>
    service.dataSource.query(statement, [...values]);

  async function succeed(reply: Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>) {
    const { status, body } = await reply;
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body.data;
  }

  /** What causes each type at least once. Statuses and failures that need media or a model are set as jobs set them. */
  async function everything(): Promise<void> {
    await service.import({ organizations: [acme], recordings: [talk] });
    const at = `/organizations/${acme.id}`;
    await ofRecordings();
    await ofRetention();
    await ofShareLinks();
    await ofParts();
    await ofWebhooks();
    for (const ended of ['completed', 'failed']) await ofExports(ended);
    await succeed(as('Ada').patch(at, { name: 'Acme Ltd', features: { downloads: false } }));
    await succeed(as('Op').patch(at, { plan: 'PRO' }));
    const shelf = await succeed(as('Ada').post(`${at}/folders`, { name: 'Shelf' }));
    const path = `${at}/folders/${shelf.id}`;
    await succeed(as('Ada').patch(path, { restricted_to: [grace?.id] }));
    await succeed(as('Ada').patch(path, { restricted_to: null, name: 'Shelves' }));
    await succeed(as('Ada').delete(path));
    for (const name of ['Linus', 'Eve']) {
      const invited = await succeed(
        as('Ada').post(`${at}/invitations`, { email: emailOf(name), role: 'VIEWER' }),
      );
      const resent = await succeed(as('Ada').post(`${at}/invitations/${invited.id}/resend`));
      if (name === 'Linus')
        await succeed(as('Linus').post('/invitations/accept', { token: resent.invite_token }));
      else await succeed(as('Ada').delete(`${at}/invitations/${invited.id}`));
    }
    await succeed(as('Ada').patch(`${at}/members/${linus?.id}`, { role: 'EDITOR' }));
    const bots = `${at}/service-accounts`;
    const bot = await succeed(as('Ada').post(bots, { name: 'CRM sync', role: 'VIEWER' }));
    await succeed(as('Ada').patch(`${bots}/${bot.id}`, { role: 'EDITOR' }));
    await succeed(as('Ada').delete(`${bots}/${bot.id}`));
    await succeed(as('Ada').post(`${at}/transfer`, { user_id: grace?.id }));
    await succeed(as('Ada').delete(`${at}/transfer`));
    await succeed(as('Linus').delete(`${at}/members/${linus?.id}`));
    await succeed(as('Linus').patch('/me', { name: 'Linus T' }));
    await succeed(as('Op').patch(`/users/${linus?.id}`, { plan: 'FREE' }));
    await ofSignIn();
    const key = await succeed(as('Linus').post('/api-keys', { name: 'laptop' }));
    await succeed(as('Linus').patch(`/api-keys/${key.id}`, { scopes: ['read-only'] }));
    await succeed(as('Linus').post(`/api-keys/${key.id}/rotate`));
    await succeed(as('Linus').delete(`/api-keys/${key.id}`));
    await succeed((await signedIn(service, as('Linus'))).delete('/me/sessions'));
  }

  async function ofRecordings(): Promise<void> {
    const { id } = await succeed(
      as('Ada').post('/recordings', { title: 'Standup', organization_id: acme.id }),
    );
    const at = `/recordings/${id}`;
    await succeed(as('Ada').patch(at, { status: 'RECORDING', title: 'Renamed' }));
    for (const status of ['UPLOADING', 'PROCESSING', 'MIGRATING', 'COMPLETED', 'ERROR'])
      await sql('UPDATE recordings SET status = $2, media_key = $3 WHERE id = $1', [
        id,
        status,
        `media/${id}`,
      ]);
    await succeed(as('Ada').patch(at, { folder_id: board.id }));
    await succeed(as('Ada').patch(`/organizations/${acme.id}`, { bin_days: 1 }));
    await succeed(as('Ada').delete(at));
    await succeed(as('Ada').post(`/deleted-recordings/${id}/restore`));
    await succeed(as('Ada').delete(at));
    await succeed(as('Ada').delete(`/deleted-recordings/${id}`));
    await succeed(as('Ada').patch(`/recordings/${talk.id}/transcript/segments/0`, { text: 'Good morning' }));
    const { summary } = await succeed(as('Ada').get(`/recordings/${talk.id}`));
    const [item] = summary.actionItems;
    await succeed(as('Ada').patch(`/recordings/${talk.id}/action-items/${item.id}`, { done: true }));
    for (const table of ['transcripts', 'summaries']) {
      await sql(
        `UPDATE ${table} SET status = 'processing', attempt_id = gen_random_uuid() WHERE recording_id = $1`,
        [talk.id],
      );
      await sql(
        `UPDATE ${table} SET status = 'completed', attempt_id = NULL, status_reason = 'No.' WHERE recording_id = $1`,
        [talk.id],
      );
    }
  }

  /** Is announced to go in a week, and goes with a rule without notice. */
  async function ofRetention(): Promise<void> {
    const old = { title: 'Old', media: 'none', organization_id: acme.id };
    const { id } = await succeed(as('Ada').post('/recordings', old));
    await sql(`UPDATE recordings SET created_at = now() - interval '99 days' WHERE id = $1`, [id]);
    for (const notice_days of [7, 0]) {
      const rules = [{ removes: 'all', days: 90 + notice_days }];
      const body = { notice_days, rules };
      await succeed(as('Ada').request('PUT', `/organizations/${acme.id}/retention`, { body }));
      await service.app.get(RetentionRunsService).run();
    }
  }

  async function ofSignIn(): Promise<void> {
    const page = await AccountPage.of(service, ada?.id ?? '');
    await addPasskey(page.api);
    const [{ id }] = await sql('SELECT id FROM passkeys');
    await page.send('remove-passkey', { id });
    await page.send('end-sessions');
    const app = await OAuthApp.register(issuerOf(service));
    await app.connect(await browserOf(service, 'Ada'));
    const [connection] = await succeed(as('Ada').get('/me/connections'));
    await succeed(as('Ada').delete(`/me/connections/${connection.id}`));
  }

  async function ofWebhooks(): Promise<void> {
    // Nothing of this type happens until it is gone.
    const made = { url: 'https://hooks.example.com/', types: ['recording.failed'], organization_id: acme.id };
    const { id } = await succeed(as('Ada').post('/webhooks', made));
    await succeed(as('Ada').patch(`/webhooks/${id}`, { description: 'CRM' }));
    await succeed(as('Ada').patch(`/webhooks/${id}`, { enabled: false }));
    await succeed(as('Ada').post(`/webhooks/${id}/rotate-secret`));
    await succeed(as('Ada').delete(`/webhooks/${id}`));
  }

  async function ofExports(ended: string): Promise<void> {
    const { id } = await succeed(as('Ada').post('/me/exports', {}));
    await sql('UPDATE exports SET status = $2 WHERE id = $1', [id, ended]);
  }

  async function ofShareLinks(): Promise<void> {
    const at = `/recordings/${talk.id}/share-link`;
    const link = await succeed(as('Ada').post(at, { label: 'Press' }));
    await succeed(service.api.get(`/shares/${link.share_token}`));
    await sql('UPDATE share_links SET view_count = 1 WHERE id = $1', [link.id]);
  }

  /** Adds, changes and deletes one of each. */
  async function ofParts(): Promise<void> {
    for (const part of PARTS) {
      let added: { id: string } | undefined;
      for (const [index, name] of Object.keys(part.requests).entries()) {
        const fields = { id: talk.id, part: added?.id, text: `Press ${index}` };
        const data = await succeed(sendToPart(as('Ada'), part, name, fields));
        added ??= data;
      }
    }
    await succeed(as('Ada').post(`/recordings/${talk.id}/tracks`, { name: 'Grace' }));
    await sql(`UPDATE tracks SET package_key = 'recordings/x'`);
    await sql(`UPDATE uploads SET status_reason = 'It cannot be played.' WHERE track_of IS NOT NULL`);
  }

  it('is caused by an operation of this test', () => {
    expectNone(
      EVENT_TYPES.filter((type) => !published.has(type)).map(
        (type) =>
          `nothing causes ${type} here: add the request that does to PARTS of test/factories/parts.ts, if it is about a part of recordings, otherwise to \`everything\` of this test`,
      ),
    );
    expect([...published].filter((type) => !EVENT_TYPES.includes(type as ChangeTypeName))).toEqual([]);
  });

  it('is seen by somebody', () => {
    const seen = new Set([...sent.values()].map(({ payload }) => payload.type));
    expect(EVENT_TYPES.filter((type) => !seen.has(type))).toEqual([]);
  });

  it('is sent as the API document describes it', () => {
    const mistakes: unknown[] = [];
    for (const { payload } of sent.values()) {
      const validate = validatorOf(payload.type);
      const { type, data } = payload;
      if (!validate(payload)) mistakes.push(type, validate.errors, data);
    }
    expect(mistakes).toEqual([]);
  });

  it.each(EVENT_TYPES)('%s has an example of its changes that its schema accepts', (type) => {
    const { $ref } = sentFor(type).schema.properties.data;
    const validate = ajv.compile({ $ref: `openapi${$ref}/properties/changes` });
    const example = CHANGE_CATALOG[type].example as object;
    expect([validate(example), validate.errors]).toEqual([true, null]);
    expect(validate({ ...example, more: 1 })).toBe(false);
  });

  it('can be sent as a test, about something that exists and its reader sees', async () => {
    const at = `/organizations/${acme.id}`;
    await succeed(as('Ada').post(`${at}/invitations`, { email: emailOf('Eve'), role: 'VIEWER' }));
    await succeed(as('Ada').post(`${at}/service-accounts`, { name: 'CRM sync', role: 'VIEWER' }));
    await succeed(as('Ada').post(`${at}/transfer`, { user_id: grace?.id }));
    await succeed(as('Ada').post(`/recordings/${talk.id}/share-link`, { label: 'Test' }));
    await addPasskey((await AccountPage.of(service, ada?.id ?? '')).api);
    await (await OAuthApp.register(issuerOf(service))).connect(await browserOf(service, 'Ada'));
    const receiver = await WebhookReceiver.start();
    const { id } = await createdWebhook(as('Ada'), { url: receiver.url(), types: ['recording.failed'] });
    for (let done = 0; done < EVENT_TYPES.length; done += 5) {
      const types = EVENT_TYPES.slice(done, done + 5);
      await Promise.all(
        types.map((type) => succeed(as('Ada').post(`/webhooks/${id}/test`, { event_type: type }))),
      );
      const expected = done + types.length;
      await eventually(async () => expect(await deliveriesOf(as('Ada'), id, '?status=pending')).toEqual([]));
      expect(receiver.received).toHaveLength(expected);
    }
    await receiver.stop();
    const ids = await sql(
      ['recordings', 'share_links', 'action_items', 'organizations', 'users', 'folders', 'invitations']
        .concat(['api_keys', 'passkeys', 'exports', 'webhooks'])
        .map((table) => `SELECT id FROM ${table}`)
        .join(' UNION '),
    );
    const existing = new Set(ids.map((row: { id: string }) => row.id));
    for (const { body } of receiver.received) {
      const validate = validatorOf(body.type);
      expect([body.type, validate(body), validate.errors]).toEqual([body.type, true, null]);
      expect(body.test).toBe(true);
      const named = Object.entries(body.data).filter(
        ([name, value]) => name.endsWith('_id') && value !== null,
      );
      expect([body.type, named.filter(([, value]) => !existing.has(value))]).toEqual([body.type, []]);
      if (body.data.recording_id) expect(body.data.recording.id).toBe(body.data.recording_id);
    }
    expect(receiver.types().sort()).toEqual([...EVENT_TYPES].sort());
  });

  it('has no entry if it is only in the audit log', () => {
    expect(Object.keys(webhooks)).toEqual(EVENT_TYPES);
    expect(CHANGE_TYPES.length).toBeGreaterThan(EVENT_TYPES.length);
  });

  function sentFor(type: string): Sent {
    return webhooks[type]!.post.requestBody.content['application/json'];
  }

  function validatorOf(type: string) {
    const { schema } = sentFor(type);
    const text = JSON.stringify(closed(schema)).replaceAll('"#/components', '"openapi#/components');
    return ajv.compile(JSON.parse(text) as object);
  }
});
