import { createHook } from 'node:async_hooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { refusal, type Reply } from '../support/client.js';
import { keyOf } from '../factories/workspace.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { CHEAP_HASH, SharedRecording, SharingWorkspace } from '../support/share-links.js';

/** The password hashes started while `act` runs. */
async function hashesDuring(act: () => Promise<void>): Promise<number> {
  let hashes = 0;
  const hook = createHook({
    init: (_, type) => {
      if (type === 'SCRYPTREQUEST') hashes += 1;
    },
  }).enable();
  try {
    await act();
  } finally {
    hook.disable();
  }
  return hashes;
}

describe('passwords of share links', () => {
  let service: TestService;
  let subject: SharedRecording;
  let workspace: SharingWorkspace;

  beforeAll(async () => {
    service = await startService();
    workspace = new SharingWorkspace(service);
    await workspace.load();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    subject = await workspace.record({ createdAt: new Date().toISOString() });
  });

  const enter = (token: string, password: string): Promise<Reply> =>
    service.api.post(`/shares/${token}/access`, { password });

  it.each(['POST', 'PATCH'] as const)(
    'set by 150 requests of one user at once, by %s, delay no other link',
    async (method) => {
      const other = await subject.link({ password: 'open sesame' }, 'Linus');
      const own = await subject.link({ label: 'one' });
      const links = `/recordings/${subject.id}/share-link`;
      const path = method === 'POST' ? links : `${links}s/${own.id}`;
      const stop = new AbortController();
      const options = { body: { password: 'correct horse' }, signal: stop.signal };
      const ada = service.api.as(keyOf('Ada'));
      const busy: Reply[] = [];
      let done = 0;
      const setters = Array.from({ length: 150 }, async () => {
        const reply = await ada.request(method, path, options);
        if (reply.status === 503) busy.push(reply);
        else done += 1;
      });
      const ended = Promise.allSettled(setters);
      // At most 16 are running, a hundred are waiting.
      await eventually(() => Promise.resolve(expect(busy.length).toBeGreaterThanOrEqual(150 - 16 - 100)));
      for (const { body, headers } of busy) {
        expect(body).toEqual(refusal('SERVICE_UNAVAILABLE'));
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      const before = done;
      expect((await enter(other.share_token, 'open sesame')).status).toBe(201);
      // One already being hashed, one ahead in the queue, and those that end while the request is in transit.
      expect(done - before).toBeLessThanOrEqual(5);
      stop.abort();
      await ended;
      // Those whose client has disconnected are dropped: the next one does not wait for them.
      const change = () => ada.request('PATCH', `${links}s/${own.id}`, { body: options.body });
      const hashes = await hashesDuring(async () => expect((await change()).status).toBe(200));
      expect(hashes).toBeLessThanOrEqual(4);
    },
  );

  it('are not hashed for callers who may not set them', async () => {
    const theirs = await subject.link({ label: 'Customer' });
    const expired = await subject.link({ label: 'Customer' });
    await service.dataSource.query(`UPDATE share_links SET expires_at = now() WHERE id = $1`, [expired.id]);
    const password = { password: 'correct horse' };
    const statuses: number[] = [];
    const hashes = await hashesDuring(async () => {
      const replies = [
        await subject.patch(theirs.id, password, 'Linus'),
        await subject.patch(theirs.id, password, 'Grace'),
        await subject.post(password, 'Grace'),
        await subject.patch(expired.id, password),
      ];
      await service.dataSource.query('UPDATE organizations SET feature_sharing = false');
      replies.push(await subject.post(password), await subject.patch(theirs.id, password));
      await service.dataSource.query('UPDATE organizations SET feature_sharing = true');
      statuses.push(...replies.map(({ status }) => status));
    });
    expect([hashes, statuses]).toEqual([0, [403, 404, 404, 409, 403, 403]]);
    expect(await hashesDuring(async () => void (await subject.patch(theirs.id, password)))).toBe(1);
  });

  it('that could not be checked do not count as wrong tries', async () => {
    const link = await subject.link({ label: 'Customer' });
    const store = (hash: string) =>
      service.dataSource.query('UPDATE share_links SET password_hash = $1 WHERE id = $2', [hash, link.id]);
    await store('malformed');
    for (let time = 0; time < 11; time += 1)
      expect((await enter(link.share_token, 'open sesame')).status).toBe(500);
    await store(CHEAP_HASH);
    expect((await enter(link.share_token, 'correct horse')).status).toBe(201);
  });
});
