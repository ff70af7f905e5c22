import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UserDeletionService } from '../../../src/modules/users/management/user-deletion.service.js';
import { findUserByEmail } from '../../../src/modules/users/public/users.queries.js';
import { member, organization, recording, user } from '../../factories/workspace.js';
import { refusal } from '../../support/client.js';
import { cheapPasswords } from '../../support/passwords.js';
import { startService, type TestService, waitingForLocks } from '../../support/service.js';
import { SharedRecording, type Link } from '../../support/share-links.js';
import { COMMAND_LINE } from '../../../src/policy/management.js';

const VERA = user('Vera');
const EVE = user('Eve');
const SEES_ALL = { viewAllRecordings: true };
const MEMBERSHIP = `organization_id = (SELECT id FROM organizations WHERE name = 'Acme') AND user_id = '${VERA.id}'`;
const REMOVE = `DELETE FROM organization_members WHERE ${MEMBERSHIP}`;

describe("an organization's share link stops working when its creator's membership ends", () => {
  cheapPasswords();
  let service: TestService;
  let subject: SharedRecording;
  const workspace = {
    users: [user('Ada'), VERA],
    organizations: [
      organization('Acme', {
        members: [
          member('Ada', 'OWNER'),
          member('Vera', 'VIEWER', SEES_ALL),
          member('Eve', 'VIEWER', SEES_ALL),
        ],
      }),
      organization('Other', { members: [member('Vera', 'OWNER')] }),
    ],
  };

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [EVE] });
  });
  afterAll(() => service.stop());

  beforeEach(async () => {
    await service.import(workspace);
    const shared = recording('Ada', { organization: 'Acme', media: 'call.mp4' });
    await service.import({ recordings: [shared] }, { 'call.mp4': 'film' });
    subject = new SharedRecording(service, shared.id);
  });

  const sql = (statement: string): Promise<unknown> => service.dataSource.query(statement);

  async function videoOf({ share_token: token }: Link): Promise<string> {
    return (await service.api.get(`/shares/${token}`)).body.data.recording.videoUrl;
  }

  it('immediately and on every endpoint, without affecting other links', async () => {
    const [theirs, plain] = [
      await subject.link({ label: 'Customer' }, 'Vera'),
      await subject.link({}, 'Vera'),
    ];
    const kept = await subject.link({ label: 'Ours' });
    const elsewhere = recording('Vera', { organization: 'Other' });
    const personal = recording('Vera');
    await service.import({ recordings: [elsewhere, personal] });
    const others = await Promise.all(
      [elsewhere, personal].map(({ id }) => new SharedRecording(service, id).link({}, 'Vera')),
    );
    const video = await videoOf(theirs);
    await sql(REMOVE);
    for (const link of [theirs, plain]) {
      expect(await subject.opens(link)).toBe(404);
      expect((await service.api.get(`/shares/${link.share_token}`)).body).toEqual(
        refusal(
          'NOT_FOUND',
          'This share link does not exist or no longer works: it may have expired or been revoked.',
        ),
      );
    }
    expect((await fetch(video)).status).toBe(403);
    expect((await subject.list()).map(({ id }) => id)).toEqual([kept.id]);
    for (const link of [kept, ...others]) expect(await subject.opens(link)).toBe(200);
  });

  it('permanently: restoring the membership does not restore it, and the next plain link is a new one', async () => {
    const link = await subject.link({}, 'Vera');
    await sql(REMOVE);
    await service.import(workspace);
    expect(await subject.opens(link)).toBe(404);
    const next = await subject.link({}, 'Vera');
    expect([next.id === link.id, next.share_token === link.share_token]).toEqual([false, false]);
  });

  it('also when the user is deleted, even if recreated with the same email address', async () => {
    const link = await subject.link({}, 'Eve');
    const eve = await findUserByEmail(service.dataSource.manager, EVE.email);
    await service.app.get(UserDeletionService).delete(eve!, {}, COMMAND_LINE);
    expect(await subject.opens(link)).toBe(404);
    expect(await subject.list()).toEqual([]);
    // The API key still belongs to the deleted user.
    await service.import({ users: [{ ...EVE, apiKeys: [] }] });
    await service.import(workspace);
    expect(await subject.opens(link)).toBe(404);
  });

  it('unless a user who can change the recording took it over first', async () => {
    const link = await subject.link({ label: 'Customer', password: 'open sesame' }, 'Vera');
    const taken = await subject.patch(link.id, { take_over: true });
    expect(taken.status).toBe(200);
    await sql(REMOVE);
    expect(await subject.list()).toMatchObject([{ id: link.id, label: 'Customer', has_password: true }]);
    expect(await subject.opens(link)).toBe(200);
  });

  it.each([
    ['created', false],
    ['taken over', true],
  ])('also for a link %s by the member concurrently', async (_, existing) => {
    // Taking over requires a role that can change the recording.
    await sql(`UPDATE organization_members SET role = 'ADMIN' WHERE ${MEMBERSHIP}`);
    const ours = existing ? await subject.link({ label: 'Ours' }) : null;
    const runner = service.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query(REMOVE);
    const sent = ours
      ? subject.patch(ours.id, { take_over: true }, 'Vera')
      : subject.post({ label: 'Late' }, 'Vera');
    await waitingForLocks(service, 1);
    await runner.commitTransaction();
    await runner.release();
    const { status, body } = await sent;
    expect([status, body]).toEqual([404, refusal('RECORDING_NOT_FOUND')]);
    expect(await subject.list()).toMatchObject(ours ? [{ id: ours.id, label: 'Ours' }] : []);
  });
});
