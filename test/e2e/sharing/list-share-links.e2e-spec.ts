import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import type { Reply } from '../../support/client.js';
import { cheapPasswords } from '../../support/passwords.js';
import { startService, type TestService } from '../../support/service.js';

const PUBLIC_URL = 'https://meetings.example.com';
const NOON = new Date('2026-01-31T12:00:00.000Z');
const LATER = new Date('2026-01-31T13:00:00.000Z');

describe('GET /recordings/:id/share-links', () => {
  cheapPasswords();
  let service: TestService;
  const users = [user('Ada'), user('Linus')];
  const [ada, linus] = users.map((one) => one.id);

  beforeAll(async () => {
    service = await startService({ PUBLIC_URL });
    const members = [member('Ada', 'OWNER'), member('Linus', 'VIEWER', { viewAllRecordings: true })];
    await service.import({ users, organizations: [organization('Acme', { members })] });
  });
  afterAll(() => service.stop());
  afterEach(() => service.setNow(null));

  async function shared(): Promise<{ path: string; list: (name: string) => Promise<Reply> }> {
    const subject = recording('Ada', { organization: 'Acme', createdAt: '2026-01-30T12:00:00Z' });
    await service.import({ recordings: [subject] });
    const path = `/recordings/${subject.id}`;
    return { path, list: (name) => service.api.as(keyOf(name)).get(`${path}/share-links`) };
  }
  const share = async (path: string, name: string, body: object) =>
    (await service.api.as(keyOf(name)).post(`${path}/share-link`, body)).body.data;

  it('returns each link with all fields except the password, newest first', async () => {
    const { path, list } = await shared();
    service.setNow(NOON);
    const view = await share(path, 'Ada', {
      expires_at: '2026-02-01',
      password: 'correct horse',
      label: 'Customer',
    });
    service.setNow(LATER);
    const download = await share(path, 'Linus', { permission: 'download' });
    await service.dataSource.query(
      `UPDATE share_links SET view_count = 12, last_viewed_at = '2026-01-31T12:30:00Z' WHERE id = $1`,
      [view.id],
    );
    const { status, body } = await list('Ada');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          id: download.id,
          share_url: `${PUBLIC_URL}/s/${download.share_token}`,
          share_token: download.share_token,
          permission: 'download',
          label: null,
          created_at: '2026-01-31T13:00:00.000Z',
          created_by: linus,
          expires_at: null,
          tracks: false,
          has_password: false,
          view_count: 0,
          last_viewed_at: null,
        },
        {
          id: view.id,
          share_url: `${PUBLIC_URL}/s/${view.share_token}`,
          share_token: view.share_token,
          permission: 'view',
          label: 'Customer',
          created_at: '2026-01-31T12:00:00.000Z',
          created_by: ada,
          expires_at: '2026-02-01T00:00:00.000Z',
          tracks: false,
          has_password: true,
          view_count: 12,
          last_viewed_at: '2026-01-31T12:30:00.000Z',
        },
      ],
    });
  });

  it('returns only their own links to a user who can only view the recording', async () => {
    const { path, list } = await shared();
    await share(path, 'Ada', {});
    expect((await list('Linus')).body).toEqual({ data: [] });
    const own = await share(path, 'Linus', { permission: 'download' });
    const { body } = await list('Linus');
    expect(body.data.map((link: { id: string }) => link.id)).toEqual([own.id]);
  });

  it('includes expired links', async () => {
    const { path, list } = await shared();
    service.setNow(NOON);
    const old = await share(path, 'Ada', { expires_at: LATER.toISOString() });
    service.setNow(LATER);
    expect((await list('Ada')).body.data).toMatchObject([
      { id: old.id, expires_at: '2026-01-31T13:00:00.000Z' },
    ]);
    const fresh = await share(path, 'Ada', {});
    expect((await list('Ada')).body.data).toMatchObject([
      { id: fresh.id, expires_at: null },
      { id: old.id, expires_at: '2026-01-31T13:00:00.000Z' },
    ]);
  });
});
