import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SealingService } from '../../../src/modules/audit/seals/sealing.service.js';
import { SecurityEventsService } from '../../../src/modules/audit/security-events.service.js';
import {
  AuditSenderService,
  STREAM_LIMITS,
} from '../../../src/modules/audit/streams/audit-sender.service.js';
import { keyOf, member, organization, user } from '../../factories/workspace.js';
import { changesOf } from '../../support/changes.js';
import { refusal, type Client } from '../../support/client.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

const MINUTE_MS = 60_000;
const WITHIN_MS = 10_000;
/** The stream of the settings. */
const NIL = '00000000-0000-0000-0000-000000000000';
const TOKEN = 'very-secret-token';

describe('the audit log of an organization, sent to a receiver', () => {
  let service: TestService;
  let another: TestService;
  let receiver: WebhookReceiver;
  let [ada, grace, linus]: Client[] = [];
  const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Linus', 'ADMIN')] });
  const beta = organization('Beta', { members: [member('Grace', 'OWNER')] });
  const users = ['Ada', 'Grace', 'Linus'].map((name) => user(name));
  const ofAcme = `/organizations/${acme.id}`;
  const ofBeta = `/organizations/${beta.id}`;
  let now: Date;
  let names = 0;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    // The receiver that the operator names may be internal, without further permission.
    const settings = {
      AUDIT_STREAM_URL: receiver.url('/all'),
      AUDIT_STREAM_TOKEN: 'hec-token',
      AUDIT_STREAM_FORMAT: 'splunk',
    };
    service = await startService({ ALLOW_PRIVATE_ADDRESSES: 'true', ...settings });
    another = await startService({ ALLOW_PRIVATE_ADDRESSES: 'true', ...settings }, { beside: service });
    await service.import({
      users,
      organizations: [acme, beta],
    });
    [ada, grace, linus] = ['Ada', 'Grace', 'Linus'].map((name) => service.api.as(keyOf(name)));
    await seal();
    await sender().start();
  });
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.behaviour = { status: 200 };
    now = new Date();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    service.setNow(null);
    await service.dataSource.query('DELETE FROM audit_streams WHERE organization_id IS NOT NULL');
    await service.dataSource.query('UPDATE audit_streams SET due_at = now(), tries = 0');
    await seal();
  });
  afterAll(async () => {
    await sender().stop();
    await another.stop();
    await service.stop();
    await receiver.stop();
  });

  const sender = (of = service) => of.app.get(AuditSenderService);
  const seal = () => service.app.get(SealingService).run();
  const put = (by: Client, path: string, body: object = {}) =>
    by.request('PUT', `${path}/audit-stream`, { body: { url: receiver.url(path), token: TOKEN, ...body } });
  const rename = async (by: Client, path: string): Promise<string> => {
    const name = `Name ${(names += 1)}`;
    expect((await by.patch(path, { name })).status).toBe(200);
    return name;
  };
  const state = async (by: Client, path: string) => (await by.get(`${path}/audit-stream`)).body.data;
  const later = (milliseconds: number): void =>
    service.setNow((now = new Date(now.getTime() + milliseconds)));
  /** The receiver of Acme, or another, has taken everything that is sealed. */
  const taken = (id = acme.id) =>
    eventually(async () => {
      const [stream] = await service.dataSource.query(
        'SELECT audit_unsent_since(s) AS since, last_error FROM audit_streams s WHERE id = $1',
        [id],
      );
      expect(stream).toEqual({ since: null, last_error: null });
    }, WITHIN_MS);
  const logged = async (by: Client, path: string, limit: number) =>
    (await by.get(`${path}/audit-log?limit=${limit}`)).body.data.toReversed();

  it('gets what is logged from then on, with the fields of OCSF beside those of the API', async () => {
    await rename(ada!, ofAcme);
    await seal();
    const changes = await changesOf(service.dataSource, async () => {
      expect(await put(ada!, ofAcme)).toMatchObject({
        status: 200,
        body: { data: { url: receiver.url(ofAcme), has_token: true, format: 'ndjson', sent_at: null } },
      });
    });
    expect(changes).toMatchObject([{ type: 'organization.updated', details: { fields: ['audit_stream'] } }]);
    await rename(ada!, ofAcme);
    await rename(grace!, ofBeta);
    await seal();
    await taken();
    const request = receiver.received.find(({ path }) => path === ofAcme);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      authorization: `Bearer ${TOKEN}`,
    });
    const lines = receiver.lines(ofAcme);
    const entries = await logged(ada!, ofAcme, 2);
    expect(lines).toMatchObject(entries);
    expect(lines[0]).toMatchObject({
      class_uid: 6003,
      category_uid: 6,
      activity_id: 3,
      type_uid: 600_303,
      time: Date.parse(entries[0].at),
      actor: { kind: 'user', user: { uid: users[0]!.id, name: 'Ada' } },
      src_endpoint: { ip: '127.0.0.1' },
      metadata: { uid: entries[0].id, tenant_uid: acme.id, event_code: 'organization.updated' },
      api: { operation: 'organization.updated' },
    });
    expect(await state(ada!, ofAcme)).toMatchObject({
      sent_at: expect.any(String),
      lag_seconds: 0,
      failing_since: null,
      last_error: null,
    });
  });

  it('is sent all that the installation logs to the receiver of the operator, as Splunk takes it', async () => {
    await rename(grace!, ofBeta);
    await grace!.patch('/me', { name: 'Grace' });
    await grace!.patch('/me', { name: 'Grace H.' });
    await service.app.get(SecurityEventsService).flush();
    await seal();
    await taken(NIL);
    const request = receiver.received.find(({ path }) => path === '/all');
    expect(request?.headers).toMatchObject({ authorization: 'Splunk hec-token' });
    const lines = receiver.lines('/all');
    expect(lines.map(({ event }) => event.type)).toEqual(
      expect.arrayContaining(['organization.updated', 'user.updated', 'sign_in.succeeded']),
    );
    for (const { time, event } of lines) expect(time).toBe(Date.parse(event.at) / 1_000);
    const isSignIn = ({ event }: { event: { type: string } }) => event.type === 'sign_in.succeeded';
    expect(lines.find(isSignIn)?.event).toMatchObject({ class_uid: 3002, activity_id: 1, status_id: 1 });
  });

  it('is kept while the receiver is away, and then sent in order, nothing twice', async () => {
    service.setNow(now);
    await put(ada!, ofAcme);
    receiver.behaviour = { status: 503, headers: { 'retry-after': '1' } };
    const expected = [];
    for (let turn = 0; turn < 3; turn += 1) {
      await rename(ada!, ofAcme);
      await seal();
      await eventually(async () => {
        const { last_error: error, lag_seconds: lag } = await state(ada!, ofAcme);
        expect(error).toBe('The receiver answered with status 503.');
        expect(lag).toBeGreaterThan(0);
      });
      later(10 * MINUTE_MS);
    }
    expected.push(...(await logged(ada!, ofAcme, 4)));
    expect(await state(ada!, ofAcme)).toMatchObject({ failing_since: expect.any(String), sent_at: null });
    receiver.received.length = 0;
    receiver.behaviour = { status: 200 };
    later(10 * MINUTE_MS);
    await taken();
    expect(receiver.lines(ofAcme).map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    expect(await state(ada!, ofAcme)).toMatchObject({
      failing_since: null,
      last_error: null,
      lag_seconds: 0,
    });
  });

  it('is sent again by another process if the first one ends before it knows that it was taken', async () => {
    service.setNow(now);
    await put(ada!, ofAcme);
    receiver.behaviour = 'hang';
    await rename(ada!, ofAcme);
    await seal();
    await eventually(async () => expect(receiver.lines(ofAcme)).toHaveLength(2), WITHIN_MS);
    await sender().stop();
    receiver.behaviour = { status: 200 };
    later(2 * MINUTE_MS);
    await sender().start();
    await taken();
    const ids = receiver.lines(ofAcme).map(({ id }) => id);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
    expect(ids).toHaveLength(4);
  });

  it('is sent once, whatever the number of workers', async () => {
    await put(ada!, ofAcme);
    await sender(another).start();
    try {
      for (let turn = 0; turn < 5; turn += 1) {
        await rename(ada!, ofAcme);
        await seal();
      }
      await taken();
    } finally {
      await sender(another).stop();
    }
    const entries = await logged(ada!, ofAcme, 6);
    expect(receiver.lines(ofAcme).map(({ id }) => id)).toEqual(entries.map(({ id }: { id: string }) => id));
  });

  it('has what was written before, but committed after what has been sent', async () => {
    await put(ada!, ofAcme);
    const runner = service.dataSource.createQueryRunner();
    await runner.startTransaction();
    const id = randomUUID();
    await runner.query(
      `INSERT INTO change_log (id, type, actor_kind, organization_id) VALUES ($1, 'folder.created', 'service', $2)`,
      [id, acme.id],
    );
    await rename(ada!, ofAcme);
    await seal();
    await taken();
    expect(receiver.lines(ofAcme)).toHaveLength(2);
    await runner.commitTransaction();
    await runner.release();
    await seal();
    await taken();
    expect(receiver.lines(ofAcme)[2]).toMatchObject({ id, type: 'folder.created' });
  });

  it('does not wait for another receiver that hangs, which is given up after 30 seconds', async () => {
    expect(STREAM_LIMITS).toEqual({ totalMs: 30_000 });
    jest.replaceProperty(STREAM_LIMITS, 'totalMs', 1_500);
    await put(ada!, ofAcme);
    await put(grace!, ofBeta);
    await rename(ada!, ofAcme);
    await rename(grace!, ofBeta);
    receiver.behaviour = (response, { url }) => {
      if (url === ofBeta) response.end();
    };
    await seal();
    await eventually(async () => expect((await state(grace!, ofBeta)).lag_seconds).toBe(0));
    expect((await state(ada!, ofAcme)).last_error).toBeNull();
    await eventually(async () => {
      expect((await state(ada!, ofAcme)).last_error).toBe('The server did not answer in time.');
    });
  });

  it('takes no redirect, and reads no reply of a receiver', async () => {
    await put(ada!, ofAcme);
    receiver.behaviour = { status: 307, headers: { location: 'http://169.254.169.254/latest/meta-data/' } };
    await rename(ada!, ofAcme);
    await seal();
    await eventually(async () => {
      expect((await state(ada!, ofAcme)).last_error).toBe('The receiver answered with status 307.');
    });
    receiver.behaviour = (response) => {
      response.writeHead(200);
      const timer = setInterval(() => {
        if (response.destroyed) clearInterval(timer);
        else response.write('x'.repeat(64_000));
      }, 1);
    };
    // Of another receiver, nothing is known yet.
    await put(ada!, ofAcme);
    await seal();
    await taken();
  });

  it.each([
    [{ url: 'http://169.254.169.254/' }, 'url: must be an https URL of a public host'],
    [{ url: 'https://user:secret@siem.example.com/' }, 'url: must be an https URL of a public host'],
    [{ token: 'two words' }, 'token: must be 1 to 2,000 visible ASCII characters, without spaces'],
    [{ token: '' }, 'token: must be 1 to 2,000 visible'],
    [{ format: 'syslog' }, 'format: must be one of ndjson, splunk, datadog'],
  ])('refuses %j', async (fields, message) => {
    const { status, body } = await put(ada!, ofAcme, fields);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('never shows the token, and goes on with another receiver where the one before it has ended', async () => {
    await put(ada!, ofAcme);
    const shown = await ada!.get(`${ofAcme}/audit-stream`);
    const [row] = await service.dataSource.query('SELECT * FROM audit_streams WHERE id = $1', [acme.id]);
    const log = await ada!.get(`${ofAcme}/audit-log?limit=5`);
    expect(JSON.stringify([shown.body, row, row.endpoint_sealed.toString(), log.body])).not.toContain(TOKEN);
    await rename(ada!, ofAcme);
    await sender().stop();
    await seal();
    await put(ada!, ofAcme, { url: receiver.url('/new'), token: null, format: 'datadog' });
    await sender().start();
    await taken();
    const request = receiver.received.find(({ path }) => path === '/new');
    expect(request?.body).toMatchObject([
      { ddsource: 'meeting-recording-service', changes: { fields: ['audit_stream'] } },
      { changes: { fields: ['name'] } },
    ]);
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  it('ends with DELETE, and is a 404 without a receiver', async () => {
    await put(ada!, ofAcme);
    expect((await ada!.delete(`${ofAcme}/audit-stream`)).status).toBe(200);
    const none = { status: 404, body: refusal('AUDIT_STREAM_NOT_FOUND') };
    expect(await ada!.get(`${ofAcme}/audit-stream`)).toMatchObject(none);
    expect(await ada!.delete(`${ofAcme}/audit-stream`)).toMatchObject(none);
    expect(await put(linus!, ofAcme)).toMatchObject({ status: 403, body: refusal('FORBIDDEN') });
    await seal();
    await taken(NIL);
    expect(receiver.received.filter(({ path }) => path === ofAcme)).toEqual([]);
  });
});
