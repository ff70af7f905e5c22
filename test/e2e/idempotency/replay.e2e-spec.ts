import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CallerSecrets } from '../../../src/platform/idempotency/caller-secrets.js';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { countTitled, create, isReplay, keyed, storedKeys } from '../../support/idempotency.js';
import { startService, type TestService } from '../../support/service.js';

describe('a request with an Idempotency-Key', () => {
  let service: TestService;
  let ada: Client;
  const mine = recording('Ada');

  beforeAll(async () => {
    service = await startService();
    const keys = [keyOf('Ada'), keyOf('Second')].map((key) => ({ name: 'test', key }));
    await service.import({
      users: [user('Ada', { apiKeys: keys }), user('Eve')],
      recordings: [mine],
    });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  it('gets the same reply when it is repeated, and is carried out once', async () => {
    const title = 'Carried out once';
    const first = await create(ada, 'once', title);
    expect([first.status, isReplay(first)]).toEqual([201, false]);
    for (const key of ['once', '"once"']) {
      const again = await create(ada, key, title);
      expect([again.status, isReplay(again)]).toEqual([201, true]);
      expect(again.body).toEqual(first.body);
      for (const name of ['content-type', 'content-length', 'location', 'etag', 'cache-control'])
        expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    }
    expect(await countTitled(service, title)).toBe(1);
  });

  it('keeps the revision of its reply', async () => {
    const segments = [{ id: 0, start: 0, end: 1, speaker: 'A', text: 'Hello' }];
    const { id: meeting, ...rest } = recording('Ada', { transcript: { language: 'en', segments } });
    await service.import({ recordings: [{ id: meeting, ...rest }] });
    const rename = () =>
      ada.patch(
        `/recordings/${meeting}/transcript/speakers`,
        { from: 'A', to: 'B' },
        { headers: { ...keyed('rename').headers, 'if-match': '*' } },
      );
    const first = await rename();
    expect([first.status, first.headers.get('etag')]).toEqual([200, expect.stringMatching(/^"\d+"$/)]);
    const again = await rename();
    expect([again.status, isReplay(again), again.headers.get('etag')]).toEqual([
      200,
      true,
      first.headers.get('etag'),
    ]);
    expect(again.body).toEqual(first.body);
  });

  it.each([
    ['body', 'POST', '/recordings', { title: 'Another', media: 'none' }],
    ['path', 'POST', '/organizations', { name: 'Another' }],
    ['method', 'PATCH', `/recordings/${mine.id}`, { title: 'Another' }],
  ])('is refused with another %s', async (what, method, path, body) => {
    const title = `Different ${what}`;
    await create(ada, title.replace(' ', '-'), title);
    const other = await ada.request(method, path, { body, ...keyed(title.replace(' ', '-')) });
    expect([other.status, other.body]).toEqual([400, refusal('IDEMPOTENCY_KEY_REUSED')]);
    expect(await countTitled(service, 'Another')).toBe(0);
  });

  it('is independent of the same key with another API key', async () => {
    const replies = [
      await create(ada, 'shared', 'Mine'),
      await create(service.api.as(keyOf('Second')), 'shared', 'Mine'),
      await create(service.api.as(keyOf('Eve')), 'shared', 'Mine'),
    ];
    expect(replies.map((reply) => [reply.status, isReplay(reply)])).toEqual(
      Array.from({ length: 3 }, () => [201, false]),
    );
    expect(await countTitled(service, 'Mine')).toBe(3);
  });

  it('can be sent again, corrected, after a validation error', async () => {
    const wrong = await create(ada, 'corrected', '');
    expect([wrong.status, wrong.body]).toEqual([400, refusal('VALIDATION_ERROR')]);
    const right = await create(ada, 'corrected', 'Corrected');
    expect([right.status, isReplay(right)]).toEqual([201, false]);
  });

  it('is carried out again after a day', async () => {
    await create(ada, 'daily', 'Daily');
    const in24Hours = Date.now() + 24 * 60 * 60 * 1000;
    service.setNow(new Date(in24Hours - 60_000));
    expect(isReplay(await create(ada, 'daily', 'Daily'))).toBe(true);
    service.setNow(new Date(in24Hours + 1_000));
    const later = await create(ada, 'daily', 'Of the next day');
    expect([later.status, isReplay(later)]).toEqual([201, false]);
    service.setNow(null);
    expect(await countTitled(service, 'Daily')).toBe(1);
  });

  it('does not get a reply that an earlier version kept, which may contain secrets', async () => {
    const first = await create(ada, 'earlier', 'Earlier');
    const secrets = new CallerSecrets(keyOf('Ada'));
    const id = secrets.idOf('earlier');
    const kept = `{"headers":{}}\n${JSON.stringify(first.body)}`;
    await service.dataSource.query('UPDATE idempotency_keys SET reply = $2 WHERE id = $1', [
      id,
      secrets.encryptReply(Buffer.from(kept), id),
    ]);
    expect((await create(ada, 'earlier', 'Earlier')).body).toEqual(refusal('IDEMPOTENCY_REPLY_LOST'));
  });

  it('gets the same status: 201 for a link that was created, 200 for one that existed', async () => {
    const share = (key: string) => ada.post(`/recordings/${mine.id}/share-link`, {}, keyed(key));
    for (const [key, status] of [
      ['link', 201],
      ['link-again', 200],
    ] as const) {
      const replies = [await share(key), await share(key)];
      expect(replies.map((reply) => [reply.status, isReplay(reply)])).toEqual([
        [status, false],
        [status, true],
      ]);
    }
  });

  it('does not get a reply about what has been deleted since, but that of the deletion itself', async () => {
    const made = await create(ada, 'short-lived', 'Short-lived');
    const ids = [made.body.data.id as string];
    const remove = () => ada.post('/recordings/bulk', { action: 'delete', ids }, keyed('removal'));
    const removed = await remove();
    expect(removed.status).toBe(200);
    const again = await remove();
    expect([again.status, isReplay(again), again.body]).toEqual([200, true, removed.body]);
    expect((await create(ada, 'short-lived', 'Short-lived')).body).toEqual(refusal('IDEMPOTENCY_REPLY_LOST'));
  });

  it('is an ordinary one where the header means nothing', async () => {
    const before = (await storedKeys(service)).length;
    expect((await ada.get('/me', keyed('a b'))).status).toBe(200);
    const created = await ada.post('/recordings', { title: 'To delete', media: 'none' });
    const path = `/recordings/${created.body.data.id}`;
    expect((await ada.delete(path, keyed(''))).status).toBe(200);
    expect((await ada.delete(path, keyed(''))).status).toBe(404);
    const tus = {
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'upload-metadata': `filename ${Buffer.from('a.mp4').toString('base64')}`,
    };
    for (const _ of [1, 2]) {
      const upload = await ada.request('POST', '/uploads', { headers: { ...tus, ...keyed('tus').headers } });
      expect([upload.status, isReplay(upload)]).toEqual([201, false]);
    }
    expect((await storedKeys(service)).length).toBe(before);
  });
});
