import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyPassword } from '../../../src/platform/secrets/passwords.js';
import { refusal } from '../../support/client.js';
import { cheapPasswords } from '../../support/passwords.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import {
  BAD_OPTIONS,
  NOW,
  SharingWorkspace,
  TOMORROW,
  type Link,
  type SharedRecording,
} from '../../support/share-links.js';

const PROTECTED = { expires_at: TOMORROW, password: 'correct horse' };
const FULL = refusal('CONFLICT', 'The recording has 100 share links, the maximum. Revoke one first.');

describe('POST /recordings/:id/share-link with an expiry, a password or a label', () => {
  cheapPasswords();
  let service: TestService;
  let workspace: SharingWorkspace;
  let subject: SharedRecording;

  beforeAll(async () => {
    service = await startService();
    workspace = new SharingWorkspace(service);
    await workspace.load();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    service.setNow(NOW);
    subject = await workspace.record();
  });
  afterEach(() => service.setNow(null));

  const ids = (links: readonly Link[]): string[] => links.map((link) => link.id).sort();

  it('creates a link with these options and never returns the password', async () => {
    const { status, body } = await subject.post({ ...PROTECTED, label: ' Customer ' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ expires_at: TOMORROW, has_password: true, label: 'Customer' });
    expect(JSON.stringify(body)).not.toContain('horse');
    expect(JSON.stringify(await subject.stored())).not.toContain('horse');
    expect(await verifyPassword('link', 'correct horse', await subject.hash(body.data))).toBe(true);
  });

  it.each([
    ['an expiry', { expires_at: TOMORROW }],
    ['an expiry in seconds', { expires_in: 60, expires_at: null }],
    ['a label and nulls', { label: 'Customer', password: null, expires_at: null }],
  ])('creates a new link each time and leaves existing links unchanged: with %s', async (_, body) => {
    const plain = await subject.link();
    const before = await subject.stored();
    const [first, second] = [await subject.link(body), await subject.link(body)];
    expect(new Set([plain.id, first.id, second.id]).size).toBe(3);
    expect(new Set([plain, first, second].map((link) => link.share_token)).size).toBe(3);
    expect((await subject.stored())[0]).toEqual(before[0]);
    expect(await subject.link()).toEqual(plain);
    expect(ids(await subject.list())).toEqual(ids([plain, first, second]));
    for (const link of [plain, first, second]) expect(await subject.opens(link)).toBe(200);
  });

  it('creates a link that expires after the given number of seconds', async () => {
    const link = await subject.link({ expires_in: 60 });
    expect(link.expires_at).toBe(new Date(NOW.getTime() + 60_000).toISOString());
    service.setNow(new Date(String(link.expires_at)));
    expect(await subject.opens(link)).toBe(404);
    const { body } = await subject.post({ expires_in: 60, expires_at: TOMORROW });
    expect(body).toEqual(
      refusal('VALIDATION_ERROR', 'expires_at: must not be sent together with expires_in'),
    );
  });

  describe('the maximum of 100 share links per recording', () => {
    it('rejects one more, but still returns the existing plain link', async () => {
      await subject.fill(98);
      const plain = await subject.link();
      expect((await subject.post({ label: 'the last' })).status).toBe(201);
      for (const body of [{ label: 'Customer' }, { permission: 'download' }]) {
        const refused = await subject.post(body);
        expect([refused.status, refused.body]).toEqual([409, FULL]);
      }
      expect(await subject.link()).toEqual(plain);
      expect(await subject.stored()).toHaveLength(100);
    });

    it.each([
      ['with options', { label: 'Customer' }],
      ['plain', {}],
    ])('holds for a request, %s, that arrives while the last link is being created', async (_, body) => {
      await subject.fill(99);
      const other = service.dataSource.createQueryRunner();
      await other.startTransaction();
      await other.query('SELECT FROM recordings WHERE id = $1 FOR NO KEY UPDATE', [subject.id]);
      await subject.fill(1, null, other.manager);
      let replied = false;
      const reply = subject.post(body).finally(() => (replied = true));
      await eventually(async () => {
        const waiting = await service.dataSource.query<unknown[]>(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        expect(replied || waiting.length > 0).toBe(true);
      });
      await other.commitTransaction();
      await other.release();
      const { status, body: refused } = await reply;
      expect([status, refused]).toEqual([409, FULL]);
      expect(await subject.stored()).toHaveLength(100);
    });

    it.each([
      ['with options', { label: 'Customer' }],
      ['plain', {}],
    ])('makes room for another, %s, by removing the link that expired first', async (_, body) => {
      await subject.fill(100, NOW);
      const [first, second] = (await subject.list()).sort((one, other) =>
        String(one.expires_at).localeCompare(String(other.expires_at)),
      );
      service.setNow(new Date(String(second?.expires_at)));
      const created = await subject.link(body);
      const left = ids(await subject.list());
      expect(left).toHaveLength(100);
      expect(left).toContain(created.id);
      expect(left).toContain(second?.id);
      expect(left).not.toContain(first?.id);
    });
  });

  it.each(BAD_OPTIONS)('rejects %s: %j', async (field, value, expected) => {
    const { status, body } = await subject.post({ [field]: value }, 'Linus');
    expect([status, body]).toEqual([400, refusal('VALIDATION_ERROR', `${field}: ${expected}`)]);
    expect(await subject.stored()).toEqual([]);
  });
});
