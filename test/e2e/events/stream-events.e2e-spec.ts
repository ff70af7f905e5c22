import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  emailOf,
  folder,
  id,
  keyOf,
  member,
  organization,
  recording,
  user,
} from '../../factories/workspace.js';
import { OpenStream } from '../../support/event-stream.js';
import { allPublished } from '../../support/events.js';
import { eventually, startService, type TestService } from '../../support/service.js';

/** Sooner than a stream would notice by itself, which is every 15 seconds. */
const AT_ONCE_MS = 10_000;

describe('GET /events/stream', () => {
  let service: TestService;
  const [ada, grace, linus] = ['Ada', 'Grace', 'Linus'].map((name) => user(name));
  const board = folder('Board', { restrictedTo: [emailOf('Grace')] });
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR'), member('Linus', 'EDITOR')],
    folders: [board],
  });
  const plan = recording('Ada', { organization: 'Acme', folder: 'Board', title: 'Plan' });
  const own = recording('Ada', { title: 'Own' });
  const streams: OpenStream[] = [];

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [ada, grace, linus], organizations: [acme], recordings: [plan, own] });
    await allPublished(service);
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });
  afterAll(() => service.stop());

  const as = (name: string) => service.api.as(keyOf(name));
  const rename = (recordingId: string, title: string) =>
    as('Ada').patch(`/recordings/${recordingId}`, { title });

  async function open(key: string, query = '', headers: Record<string, string> = {}): Promise<OpenStream> {
    const stream = await OpenStream.open(service.api, key, query, headers);
    streams.push(stream);
    expect(stream.response.status).toBe(200);
    return stream;
  }

  it('sends what happens, as the list has it', async () => {
    const stream = await open(keyOf('Ada'));
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    await rename(own.id, 'Renamed');
    await stream.until(({ events }) => events.length === 1);
    expect(stream.messages[0]).toEqual({ retry: '3000', id: expect.any(String) });
    const [{ id: cursor, event, data } = {}] = stream.events;
    expect([event, data.data.recording.title]).toEqual(['recording.updated', 'Renamed']);
    const { body } = await as('Ada').get('/events?types=recording.updated&limit=100');
    expect(ofUrls(body.data.at(-1))).toEqual(ofUrls(data));
    expect((await as('Ada').get(`/events?cursor=${cursor}`)).body.data).toEqual([]);
  });

  it('sends first what was missed, after a cursor or Last-Event-ID', async () => {
    const first = await open(keyOf('Ada'));
    await rename(own.id, 'One');
    await first.until(({ events }) => events.length === 1);
    first.close();
    for (const title of ['Two', 'Three']) await rename(own.id, title);
    await allPublished(service);
    const last = first.events[0]?.id ?? '';
    for (const stream of [
      await open(keyOf('Ada'), `?cursor=${last}`),
      await open(keyOf('Ada'), '?cursor=AAAAAAAAAAAAAAAAAAAAAA', { 'Last-Event-ID': last }),
    ]) {
      await stream.until(({ events }) => events.length === 2);
      const titles = stream.events.map(({ data }) => data.data.recording.title);
      expect(titles).toEqual(['Three', 'Three']);
    }
    for (const title of ['Four', 'Five']) await rename(own.id, title);
    await streams.at(-1)?.until(({ events }) => events.length === 4);
  });

  it('misses nothing if its connection breaks before the first event', async () => {
    const first = await open(keyOf('Ada'));
    await first.until(({ messages }) => messages.length === 1);
    first.close();
    await rename(own.id, 'Meanwhile');
    await allPublished(service);
    const again = await open(keyOf('Ada'), '', { 'Last-Event-ID': first.messages[0]?.id ?? '' });
    await again.until(({ events }) => events.length === 1);
    expect(again.events[0]?.data.data.recording.title).toBe('Meanwhile');
  });

  it('sends only what the caller sees and asked for', async () => {
    const [all, filtered, outsider] = [
      await open(keyOf('Grace'), '?types=*'),
      await open(keyOf('Grace'), '?types=organization.*'),
      await open(keyOf('Linus')),
    ];
    await rename(own.id, 'Private');
    await rename(plan.id, 'Board only');
    await as('Ada').patch(`/organizations/${acme.id}`, { name: 'Acme Ltd' });
    for (const stream of [all, filtered, outsider])
      await stream.until(({ types }) => types.includes('organization.updated'));
    expect(all.types).toEqual(['recording.updated', 'organization.updated']);
    expect(filtered.types).toEqual(['organization.updated']);
    expect(outsider.types).toEqual(['organization.updated']);
  });

  it('follows memberships that begin', async () => {
    const eve = user('Eve');
    await service.import({ users: [eve] });
    const stream = await open(keyOf('Eve'), '?types=organization.*');
    await service.dataSource.query(
      `INSERT INTO organization_members (organization_id, user_id, role) VALUES ($1, $2, 'VIEWER')`,
      [acme.id, eve.id],
    );
    await allPublished(service);
    await as('Ada').patch(`/organizations/${acme.id}`, { name: 'Acme and Eve' });
    await stream.until(({ types }) => types.includes('organization.updated'));
  });

  it('ends at once when its key is revoked, and says why', async () => {
    const created = await as('Grace').post('/api-keys', { name: 'stream' });
    const stream = await open(created.body.data.key);
    const other = await open(keyOf('Grace'));
    await as('Grace').delete(`/api-keys/${created.body.data.id}`);
    await stream.until(({ isOpen }) => !isOpen, AT_ONCE_MS);
    expect(stream.messages.at(-1)).toEqual({
      event: 'end',
      data: { error: { code: 'INVALID_API_KEY', message: expect.any(String) } },
    });
    expect(other.isOpen).toBe(true);
  });

  it('ends when its key expires', async () => {
    const at = new Date(Date.now() + 60_000);
    const created = await as('Ada').post('/api-keys', { name: 'short', expires_at: at.toISOString() });
    const stream = await open(created.body.data.key);
    await rename(own.id, 'In time');
    await stream.until(({ types }) => types.includes('recording.updated'));
    service.setNow(new Date(at.getTime() + 1));
    const before = stream.events.length;
    await rename(own.id, 'Too late');
    await stream.until(({ isOpen }) => !isOpen);
    service.setNow(null);
    expect(stream.events.slice(before)).toMatchObject([
      { event: 'end', data: { error: { code: 'API_KEY_EXPIRED' } } },
    ]);
  });

  it('ends at once when the membership of its organization ends; others lose its events', async () => {
    const mallory = user('Mallory');
    await service.import({
      users: [mallory],
      organizations: [{ ...acme, members: [...(acme['members'] as object[]), member('Mallory', 'ADMIN')] }],
    });
    await allPublished(service);
    const limited = await open(keyOf('Mallory'), `?organization_id=${acme.id}`);
    const all = await open(keyOf('Mallory'));
    await as('Ada').delete(`/organizations/${acme.id}/members/${mallory.id}`);
    await limited.until(({ isOpen }) => !isOpen, AT_ONCE_MS);
    expect(limited.messages.at(-1)).toMatchObject({ event: 'end', data: { error: { code: 'FORBIDDEN' } } });
    await all.until(({ types }) => types.includes('member.removed'));
    await as('Ada').patch(`/organizations/${acme.id}`, { name: 'Acme without' });
    await as('Mallory').patch('/me', { name: 'Mal' });
    await all.until(({ types }) => types.includes('user.updated'));
    expect(all.types.at(-1)).toBe('user.updated');
    expect(all.types).not.toContain('organization.updated');
  });

  it('is refused beyond ten of a user, and possible again when one closes', async () => {
    const open10 = await Promise.all(Array.from({ length: 10 }, () => open(keyOf('Linus'))));
    const { status, body, headers } = await as('Linus').get('/events/stream');
    expect([status, body.error.message]).toEqual([
      429,
      'You have 10 open streams of events, and there cannot be more: close one first.',
    ]);
    expect(headers.get('retry-after')).toBe('30');
    open10[0]?.close();
    await eventually(async () => void (await open(keyOf('Linus'))));
  });

  it.each([
    ['?cursor=x', 400, 'VALIDATION_ERROR'],
    ['?types=nothing', 400, 'VALIDATION_ERROR'],
    [`?organization_id=${id()}`, 404, 'ORGANIZATION_NOT_FOUND'],
    ['?since=2026-01-01', 400, 'VALIDATION_ERROR'],
  ])('refuses %s before it begins', async (query, status, code) => {
    const { body, ...reply } = await as('Ada').get(`/events/stream${query}`);
    expect([reply.status, body.error.code]).toEqual([status, code]);
  });

  it('ends when the service stops, which does not wait for it', async () => {
    const other = await startService({}, { beside: service });
    const stream = await OpenStream.open(other.api, keyOf('Ada'));
    const begun = performance.now();
    await other.stop();
    await stream.until(({ isOpen }) => !isOpen);
    expect(performance.now() - begun).toBeLessThan(8_000);
    expect(stream.types).toEqual([]);
  });
});

/** URLs of thumbnails are signed anew each time. */
const ofUrls = (event: object): unknown =>
  JSON.parse(JSON.stringify(event, (name, value) => (name === 'thumbnailUrl' ? undefined : value)));
