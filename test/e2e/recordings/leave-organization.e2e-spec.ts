import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { outcome, type Client, type Reply } from '../../support/client.js';
import { allPublished } from '../../support/events.js';
import { until } from '../../support/process.js';
import { startService, type TestService } from '../../support/service.js';
import { SmtpServer } from '../../support/smtp.js';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('recordings leave an organization only by those who may take them', () => {
  let smtp: SmtpServer;
  let service: TestService;
  const users = ['Olga', 'Adam', 'Eve', 'Edna', 'Vera'].map((name) => user(name));
  const [, , eve, edna] = users;
  const stranger = user('Stranger');
  const off = { downloads: false, sharing: false };
  const acme = organization('Acme', {
    members: [
      member('Olga', 'OWNER'),
      member('Adam', 'ADMIN'),
      member('Eve', 'EDITOR', off),
      member('Edna', 'EDITOR'),
      member('Vera', 'VIEWER'),
    ],
  });
  const open = organization('Open', {
    membersMayTakeRecordings: true,
    members: [
      member('Olga', 'OWNER'),
      member('Adam', 'ADMIN', { sharing: false }),
      member('Eve', 'EDITOR', off),
      member('Edna', 'EDITOR'),
    ],
  });
  const closed = organization('Closed', {
    features: { downloads: false },
    membersMayTakeRecordings: true,
    members: [member('Olga', 'OWNER'), member('Edna', 'EDITOR')],
  });
  const ofAdam = organization('Of Adam', { members: [member('Adam', 'OWNER')] });
  const shared = organization('Shared', {
    members: [member('Olga', 'OWNER'), member('Edna', 'EDITOR'), member('Eve', 'EDITOR')],
  });
  const basic = organization('Basic', { plan: 'FREE', members: [member('Olga', 'OWNER')] });

  beforeAll(async () => {
    smtp = await SmtpServer.start();
    service = await startService(smtp.settings(), { worker: true });
    const organizations = [acme, open, closed, ofAdam, shared, basic];
    await service.import({ users: [...users, stranger], organizations });
  });
  afterAll(async () => {
    await service.stop();
    await smtp.stop();
  });
  beforeEach(() => {
    smtp.mails.length = 0;
  });

  const as = (name: string): Client => service.api.as(keyOf(name));
  const move = (name: string, { id }: { id: string }, organizationId: string | null): Promise<Reply> =>
    as(name).patch(`/recordings/${id}`, { organization_id: organizationId });
  const bulk = (name: string, ids: readonly string[], organizationId: string): Promise<Reply> =>
    as(name).post('/recordings/bulk', { ids, action: 'move', organization_id: organizationId });
  async function made(owner: string, overrides: object): Promise<{ id: string }> {
    const one = recording(owner, overrides);
    await service.import({ recordings: [one] });
    return one;
  }
  async function ownerOf({ id }: { id: string }): Promise<string> {
    const [row]: { owner_id: string }[] = await service.dataSource.query(
      'SELECT owner_id FROM recordings WHERE id = $1',
      [id],
    );
    return row!.owner_id;
  }

  describe.each([
    ['Eve', 'acme', acme, '"downloads" is off for'],
    ['Eve', 'an organization whose members may', open, '"downloads" is off for'],
    ['Adam', 'an organization where sharing is off for this ADMIN', open, '"sharing" is off for'],
    ['Edna', 'an organization without downloads', closed, '"downloads" is off for'],
    ['Olga', 'an organization without downloads, as its OWNER', closed, '"downloads" is off for'],
    ['Edna', 'acme, whose members may not', acme, 'members_may_take_recordings'],
  ])('%s, from %s', (name, _, from, reason) => {
    it('neither to a personal place nor to another organization', async () => {
      const own = await made(name, { organization: from.name });
      const elsewhere = name === 'Adam' ? ofAdam : shared;
      for (const refused of [
        await move(name, own, null),
        await move(name, own, elsewhere.id),
        await bulk(name, [own.id], elsewhere.id),
      ]) {
        expect(outcome(refused)).toEqual([403, 'FORBIDDEN']);
        expect(refused.body.error.message).toContain(reason);
        expect(refused.body.error.message).toMatch(/OWNER/);
      }
      const kept = await as(name).get(`/recordings/${own.id}`);
      expect(kept.body.data.organizationId).toBe(from.id);
    });
  });

  it.each([
    ['an EDITOR, where members may take theirs', 'Edna', open],
    ['an ADMIN', 'Adam', acme],
    ['an OWNER', 'Olga', acme],
  ])('%s takes what is theirs', async (_, name, from) => {
    const own = await made(name, { organization: from.name });
    expect(outcome(await move(name, own, null))).toEqual([200, null]);
    expect((await as(name).get(`/recordings/${own.id}`)).body.data.organizationId).toBeNull();
  });

  it('an EDITOR as soon as an OWNER permits it, and no longer than that', async () => {
    const [first, second] = [
      await made('Edna', { organization: acme.name }),
      await made('Edna', { organization: acme.name }),
    ];
    const permit = (name: string, allowed: boolean): Promise<Reply> =>
      as(name).patch(`/organizations/${acme.id}`, { members_may_take_recordings: allowed });
    for (const name of ['Adam', 'Edna']) {
      expect(outcome(await permit(name, true))).toEqual([403, 'FORBIDDEN']);
    }
    const permitted = await permit('Olga', true);
    expect([permitted.status, permitted.body.data.members_may_take_recordings]).toEqual([200, true]);
    expect(outcome(await move('Edna', first, null))).toEqual([200, null]);
    expect((await permit('Olga', false)).body.data.members_may_take_recordings).toBe(false);
    expect(outcome(await move('Edna', second, null))).toEqual([403, 'FORBIDDEN']);
  });

  it('not by an ADMIN who is not their owner, who keeps them in sight', async () => {
    const [ofOlga, ofEdna] = [
      await made('Olga', { organization: acme.name }),
      await made('Edna', { organization: acme.name }),
    ];
    for (const [name, subject] of [
      ['Olga', ofOlga],
      ['Edna', ofEdna],
    ] as const) {
      const refused = await move('Adam', subject, ofAdam.id);
      expect(outcome(refused)).toEqual([403, 'FORBIDDEN']);
      expect(refused.body.error.message).toMatch(/its owner or an OWNER/);
      expect((await as(name).get(`/recordings/${subject.id}`)).status).toBe(200);
    }
  });

  it('by an OWNER only to where their owner sees them', async () => {
    const ofVera = await made('Vera', { organization: acme.name });
    const refused = await move('Olga', ofVera, shared.id);
    expect(outcome(refused)).toEqual([403, 'FORBIDDEN']);
    expect(refused.body.error.message).toMatch(/its owner is not a member/);
    expect((await as('Vera').get(`/recordings/${ofVera.id}`)).status).toBe(200);
    expect(outcome(await move('Olga', ofVera, null))).toEqual([403, 'FORBIDDEN']);
  });

  it('not while they are locked where they are', async () => {
    const createdAt = new Date(Date.now() - 31 * DAY_MS).toISOString();
    const locked = await made('Olga', { organization: basic.name, createdAt });
    for (const refused of [
      await move('Olga', locked, acme.id),
      await move('Olga', locked, null),
      await bulk('Olga', [locked.id], acme.id),
    ]) {
      expect(outcome(refused)).toEqual([403, 'RECORDING_LOCKED']);
    }
    expect(outcome(await as('Olga').patch(`/recordings/${locked.id}`, { folder_id: null }))).toEqual([
      200,
      null,
    ]);
  });

  describe('their owner learns of it', () => {
    it('by an event, and one email however many were moved', async () => {
      const ofEdna = [
        await made('Edna', { organization: acme.name }),
        await made('Edna', { organization: acme.name }),
      ];
      const ofEve = await made('Eve', { organization: acme.name });
      const own = await made('Olga', { organization: acme.name });
      const ids = [...ofEdna, ofEve, own].map(({ id }) => id);
      expect(outcome(await bulk('Olga', ids, shared.id))).toEqual([200, null]);
      for (const [subject, owner] of [
        [ofEdna[0]!, edna],
        [ofEve, eve],
      ] as const) {
        expect(await ownerOf(subject)).toBe(owner!.id);
      }
      await until('the emails', () => smtp.mails.length >= 2);
      await allPublished(service);
      const mails = smtp.mails.toSorted((one, other) => (one.to.join() < other.to.join() ? -1 : 1));
      expect(mails.map(({ to }) => to)).toEqual([['edna@acme.test'], ['eve@acme.test']]);
      expect(mails.map(({ headers }) => headers['subject'])).toEqual([
        'Olga moved 2 of your recordings to “Shared”',
        'Olga moved one of your recordings to “Shared”',
      ]);
      expect(mails[0]?.text).toContain('/api/v1/events?types=recording.moved');
      const events = await as('Edna').get(`/events?types=recording.moved&recording_id=${ofEdna[0]!.id}`);
      // Of the organization it left and of the one it is in now.
      expect(events.body.data.map(({ type }: { type: string }) => type)).toEqual([
        'recording.moved',
        'recording.moved',
      ]);
    });

    it('not by an email of what they moved themselves, or within the organization', async () => {
      const [own, stays] = [
        await made('Edna', { organization: open.name }),
        await made('Edna', { organization: acme.name }),
      ];
      expect(outcome(await move('Edna', own, shared.id))).toEqual([200, null]);
      expect(outcome(await as('Olga').patch(`/recordings/${stays.id}`, { folder_id: null }))).toEqual([
        200,
        null,
      ]);
      const waiting = await service.dataSource.query(
        `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'recordings.mail'`,
      );
      expect([waiting, smtp.mails]).toEqual([[], []]);
    });

    it('by at most five emails a day from the same person', async () => {
      for (let times = 0; times < 7; times += 1) {
        const one = await made('Vera', { organization: acme.name });
        await service.import({
          organizations: [
            organization(`Vera ${times}`, { members: [member('Olga', 'OWNER'), member('Vera', 'VIEWER')] }),
          ],
        });
        const [target]: { id: string }[] = await service.dataSource.query(
          'SELECT id FROM organizations WHERE name = $1',
          [`Vera ${times}`],
        );
        expect(outcome(await move('Olga', one, target!.id))).toEqual([200, null]);
      }
      await until('the jobs', async () => {
        const waiting: object[] = await service.dataSource.query(
          `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'recordings.mail'`,
        );
        return waiting.length === 0;
      });
      expect(smtp.mails).toHaveLength(5);
    });
  });
});
