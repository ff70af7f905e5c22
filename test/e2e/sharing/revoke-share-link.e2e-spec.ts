import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { id, keyOf, recording, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { cheapPasswords } from '../../support/passwords.js';
import { startService, type TestService, waitingForLocks } from '../../support/service.js';

interface Link {
  readonly id: string;
  readonly share_token: string;
}

describe('DELETE /recordings/:id/share-links/:linkId', () => {
  cheapPasswords();
  let service: TestService;
  let ada: Client;
  let path: string;

  beforeAll(async () => {
    service = await startService();
    ada = service.api.as(keyOf('Ada'));
    await service.import({ users: [user('Ada')] });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    const subject = recording('Ada');
    await service.import({ recordings: [subject] });
    path = `/recordings/${subject.id}`;
  });
  afterEach(() => service.setNow(null));

  const share = async (api: Client, body: object = {}): Promise<Link> =>
    (await api.post(`${path}/share-link`, body)).body.data;
  const revoke = (api: Client, linkId: string): Promise<Reply> => api.delete(`${path}/share-links/${linkId}`);
  const opens = async ({ share_token }: Link): Promise<number> =>
    (await service.api.get(`//s/${share_token}`)).status;
  const left = async (): Promise<string[]> =>
    (await ada.get(`${path}/share-links`)).body.data.map((link: Link) => link.id);

  it('revokes the link immediately and returns success', async () => {
    const link = await share(ada);
    expect(await opens(link)).toBe(200);
    const { status, body } = await revoke(ada, link.id);
    expect(status).toBe(200);
    expect(body).toEqual({ data: { success: true } });
    expect(await opens(link)).toBe(404);
    expect(await left()).toEqual([]);
  });

  it('is permanent: the next link is a new one without the old settings', async () => {
    const first = await share(ada, { password: 'correct horse', expires_at: '2090-01-01' });
    await revoke(ada, first.id);
    const next = await share(ada);
    expect(next.id).not.toBe(first.id);
    expect(next.share_token).not.toBe(first.share_token);
    expect(next).toMatchObject({ has_password: false, expires_at: null });
    expect(await opens(first)).toBe(404);
  });

  it('lets exactly one of several concurrent requests succeed', async () => {
    const link = await share(ada);
    const replies = await whileLocked(link, () => Promise.all([1, 2, 3].map(() => revoke(ada, link.id))));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    for (const { status, body } of replies) {
      if (status === 404) expect(body).toEqual(refusal('SHARE_LINK_NOT_FOUND'));
    }
  });

  /** Locks the link until three requests have found it and are waiting to delete it. */
  async function whileLocked<T>(link: Link, send: () => Promise<T>): Promise<T> {
    const holder = service.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT 1 FROM share_links WHERE id = $1 FOR UPDATE', [link.id]);
    const sent = send();
    await waitingForLocks(service, 3);
    await holder.commitTransaction();
    await holder.release();
    return sent;
  }

  it.each([id(), 'x', '%00'])('returns 404 for a link that does not exist: %s', async (linkId) => {
    const { status, body } = await revoke(ada, linkId);
    expect(status).toBe(404);
    expect(body).toEqual(refusal('SHARE_LINK_NOT_FOUND'));
  });

  it("returns 404 for another recording's link and keeps it", async () => {
    const link = await share(ada);
    const other = recording('Ada');
    await service.import({ recordings: [other] });
    const { body } = await ada.delete(`/recordings/${other.id}/share-links/${link.id}`);
    expect(body).toEqual(refusal('SHARE_LINK_NOT_FOUND'));
    expect(await left()).toEqual([link.id]);
  });
});
