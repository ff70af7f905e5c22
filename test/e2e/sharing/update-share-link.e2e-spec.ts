import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyPassword } from '../../../src/platform/secrets/passwords.js';
import { id } from '../../factories/workspace.js';
import { refusal } from '../../support/client.js';
import { openapi } from '../../support/contract.js';
import { cheapPasswords } from '../../support/passwords.js';
import { startService, type TestService } from '../../support/service.js';
import {
  BAD_OPTIONS,
  NOW,
  SharingWorkspace,
  TOMORROW,
  type Link,
  type SharedRecording,
} from '../../support/share-links.js';

interface OperationWithExamples {
  requestBody: { content: { 'application/json': { examples: Record<string, { value: object }> } } };
}
const operation = openapi.paths['/api/v1/recordings/{id}/share-links/{linkId}']?.[
  'patch'
] as unknown as OperationWithExamples;
const EXAMPLES = Object.values(operation.requestBody.content['application/json'].examples);

const OPTIONS = { expires_at: TOMORROW, label: 'Customer' };
/** Hashing the password takes a quarter of a second. */
const PROTECTED = { ...OPTIONS, password: 'correct horse' };

describe('PATCH /recordings/:id/share-links/:linkId', () => {
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

  const change = async (link: Link, body: object, name?: string): Promise<Link> => {
    const reply = await subject.patch(link.id, body, name);
    expect([reply.status, reply.body]).toEqual([200, { data: expect.anything() }]);
    return reply.body.data;
  };

  it('changes only the given fields, keeps the URL, and returns the link as the list shows it', async () => {
    const link = await subject.link(PROTECTED);
    const { status, body } = await subject.patch(link.id, { label: ' Supplier ' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ...link, label: 'Supplier' });
    expect(body.data).toMatchObject({ created_by: workspace.ada.id, view_count: 0, last_viewed_at: null });
    expect([body.data]).toEqual(await subject.list());

    expect(await change(link, { expires_at: '2026-03-01T00:00:00+02:00' })).toMatchObject({
      ...link,
      label: 'Supplier',
      expires_at: '2026-02-28T22:00:00.000Z',
    });
    expect(await verifyPassword('link', 'correct horse', await subject.hash(link))).toBe(true);
    await change(link, { password: 'battery staple' });
    expect(await verifyPassword('link', 'battery staple', await subject.hash(link))).toBe(true);
  });

  it('removes an option set to null', async () => {
    const link = await subject.link(PROTECTED);
    expect(await change(link, { password: null })).toMatchObject({ ...link, has_password: false });
    expect(await change(link, { expires_at: null, label: null })).toMatchObject({
      expires_at: null,
      label: null,
    });
  });

  it('takes the expiry in seconds from now, in place of a time', async () => {
    const link = await subject.link({ label: 'Customer' });
    expect(await change(link, { expires_in: 3600 })).toMatchObject({
      ...link,
      expires_at: new Date(NOW.getTime() + 3_600_000).toISOString(),
    });
    expect(await change(link, { expires_in: null })).toMatchObject({ expires_at: null });
    const { status, body } = await subject.patch(link.id, { expires_at: TOMORROW, expires_in: 3600 });
    const both = refusal('VALIDATION_ERROR', 'expires_at: must not be sent together with expires_in');
    expect([status, body]).toEqual([400, both]);
  });

  it('accepts every example in the API document, the first of which sets only a label', async () => {
    service.setNow(null);
    const link = await subject.link({ label: 'before', password: 'correct horse' });
    expect(await change(link, EXAMPLES[0]?.value ?? {})).toMatchObject({ ...link, label: 'Customer' });
    for (const body of EXAMPLES) await change(link, body.value);
    expect(EXAMPLES).toHaveLength(5);
  });

  it.each([{ expires_at: TOMORROW }, { label: 'Customer' }])(
    'turns a plain link into a separate one with %j; the next plain link is a new one',
    async (body) => {
      const first = await subject.link();
      await change(first, body);
      const next = await subject.link();
      expect(next.id).not.toBe(first.id);
      // It stays separate after the options are removed.
      await change(first, { expires_at: null, password: null, label: null });
      expect(await subject.link()).toEqual(next);
      expect(await subject.opens(first)).toBe(200);
    },
  );

  it('allows the creator and users who can change the recording', async () => {
    const link = await subject.link({}, 'Linus');
    expect(await change(link, { label: 'one' }, 'Linus')).toMatchObject({ label: 'one' });
    const { linus } = workspace;
    expect(await change(link, { label: 'two' })).toMatchObject({ label: 'two', created_by: linus.id });
  });

  it('returns 403 with a reason to a user who can only view the recording', async () => {
    const link = await subject.link(OPTIONS);
    const before = await subject.stored();
    const refused = await subject.patch(link.id, { label: 'Mine' }, 'Linus');
    expect(refused.status).toBe(403);
    expect(refused.body).toEqual(
      refusal(
        'FORBIDDEN',
        'Only its creator or someone who can edit the recording can change this share link.',
      ),
    );
    expect(await subject.stored()).toEqual(before);
  });

  it.each([
    ['sharing is disabled', 'feature_sharing = false', 'feature_sharing = true', 403, 'SHARING_DISABLED'],
    [
      'the subscription has expired',
      `subscription_status = 'expired'`,
      `subscription_status = 'active'`,
      402,
      'ORGANIZATION_SUBSCRIPTION_EXPIRED',
    ],
    ['the recording is locked', `plan = 'FREE'`, `plan = 'ENTERPRISE'`, 403, 'RECORDING_LOCKED'],
  ])('requires what creating a link requires: rejected when %s', async (_, off, on, status, code) => {
    const old = await workspace.record({ createdAt: '2020-01-01T00:00:00Z' });
    const link = await old.link(OPTIONS);
    const set = (terms: string) => service.dataSource.query(`UPDATE organizations SET ${terms}`);
    await set(off);
    const refused = await old.patch(link.id, { label: 'late' });
    await set(on);
    expect([refused.status, refused.body]).toEqual([status, refusal(code)]);
    expect((await old.patch(link.id, { label: 'late' })).status).toBe(200);
  });

  it('returns 409 once the link has expired, which is permanent', async () => {
    const link = await subject.link(OPTIONS);
    service.setNow(new Date(TOMORROW));
    for (const body of [{ expires_at: '2026-03-01' }, { expires_at: null }, { label: 'late' }]) {
      const refused = await subject.patch(link.id, body);
      expect([refused.status, refused.body]).toEqual([
        409,
        refusal('CONFLICT', 'This share link has expired and cannot be changed. Create a new one.'),
      ]);
    }
    expect(await subject.opens(link)).toBe(404);
  });

  it('rejects an empty object', async () => {
    const link = await subject.link(OPTIONS);
    const refused = await subject.patch(link.id, {});
    expect([refused.status, refused.body]).toEqual([
      400,
      refusal(
        'VALIDATION_ERROR',
        'body: must have at least one of take_over, tracks, expires_at, expires_in, password, label',
      ),
    ]);
  });

  it.each([
    ...BAD_OPTIONS,
    ['permission', 'download', 'unknown field'] as const,
    ['take_over', false, 'must be true'] as const,
  ])('rejects %s: %j', async (field, value, expected) => {
    const link = await subject.link(OPTIONS);
    const before = await subject.stored();
    const { status, body } = await subject.patch(link.id, { [field]: value });
    expect(status).toBe(400);
    expect(body).toEqual(refusal('VALIDATION_ERROR', expect.stringContaining(`${field}: ${expected}`)));
    expect(await subject.stored()).toEqual(before);
  });

  it.each([id(), 'x', '%00'])('returns 404 for a link that does not exist: %s', async (linkId) => {
    const { status, body } = await subject.patch(linkId, { label: 'Customer' });
    expect([status, body]).toEqual([404, refusal('SHARE_LINK_NOT_FOUND')]);
  });

  it("returns 404 for another recording's link and leaves it unchanged", async () => {
    const link = await subject.link(OPTIONS);
    const other = await workspace.record();
    const { status, body } = await other.patch(link.id, { label: 'Mine' });
    expect([status, body]).toEqual([404, refusal('SHARE_LINK_NOT_FOUND')]);
    expect(await subject.list()).toMatchObject([{ label: 'Customer' }]);
  });
});
