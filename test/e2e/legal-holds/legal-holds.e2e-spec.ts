import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { folder, id, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { changesOf } from '../../support/changes.js';
import { done, outcome, refusal, type Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const members = [member('Ada', 'OWNER'), member('Grace', 'ADMIN'), member('Bob', 'EDITOR')];
const legal = folder('Legal');
const acme = organization('Acme', { members, folders: [legal] });
const beta = organization('Beta', { members: [member('Eve', 'OWNER')] });
const people = ['Ada', 'Grace', 'Bob', 'Eve', 'Op'].map((name) => user(name, { id: id() }));
const [, , bob, eve] = people as { id: string }[];
const IN_2025 = '2025-06-30T12:00:00.000Z';
const ofBob = recording('Bob', { organization: 'Acme', createdAt: IN_2025 });
const inLegal = recording('Ada', { organization: 'Acme', folder: 'Legal' });
const other = recording('Ada', { organization: 'Acme' });
const personal = recording('Bob', { title: 'Private' });
const ofEve = recording('Eve', { organization: 'Beta' });
const of = { matter: 'Case 24/117', reason: 'Letter of the court' };

describe('/legal-holds', () => {
  let service: TestService;
  let [ada, grace, bobs, eves, operator]: Client[] = [];

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: people,
      organizations: [acme, beta],
      recordings: [ofBob, inLegal, other, personal, ofEve],
    });
    await service.dataSource.query(`UPDATE users SET operator = true WHERE name = 'Op'`);
    [ada, grace, bobs, eves, operator] = ['Ada', 'Grace', 'Bob', 'Eve', 'Op'].map((name) =>
      service.api.as(keyOf(name)),
    );
  });
  afterAll(() => service.stop());

  const held = async (hold: string): Promise<string[]> => {
    const rows: { id: string }[] = await service.dataSource.query(
      'SELECT recording_id AS id FROM held_recordings WHERE hold_id = $1',
      [hold],
    );
    return rows.map((row) => row.id).toSorted();
  };
  /** What a hold with these criteria covers; it is lifted again. */
  const covered = async (criteria: object, by = ada!): Promise<string[]> => {
    const hold = await done(by.post('/legal-holds', { ...of, ...criteria }));
    const recordings = await held(hold.id);
    expect(hold.recordings).toBe(recordings.length);
    await done(by.post(`/legal-holds/${hold.id}/lift`));
    return recordings;
  };
  const inAcme = { organization_id: acme.id };
  const sorted = (...recordings: { id: string }[]): string[] => recordings.map((one) => one.id).toSorted();

  it('tells an OWNER what it holds, from the place to which it points, until it is lifted', async () => {
    await service.dataSource.query('UPDATE recordings SET stored_bytes = 700 WHERE id = $1', [inLegal.id]);
    const criteria = {
      recording_ids: [ofBob.id],
      folder_ids: [legal.id],
      from: '2025-01-01',
      to: '2999-12-31',
    };
    const placed = await ada!.post('/legal-holds', { ...inAcme, ...of, ...criteria });
    expect(placed.status).toBe(201);
    const hold = {
      id: expect.any(String),
      organization_id: acme.id,
      matter: 'Case 24/117',
      reason: 'Letter of the court',
      recording_ids: [ofBob.id],
      folder_ids: [legal.id],
      user_ids: [],
      from: '2025-01-01T00:00:00.000Z',
      to: '2999-12-31T23:59:59.999Z',
      recordings: 2,
      bytes: 700,
      created_at: expect.any(String),
      lifted_at: null,
    };
    expect(placed.body.data).toEqual(hold);
    const { id: holdId } = placed.body.data;
    expect(placed.headers.get('location')).toBe(`/api/v1/legal-holds/${holdId}`);
    expect(await done(ada!.get(`/legal-holds/${holdId}`))).toEqual(placed.body.data);
    expect(await done(ada!.get('/legal-holds'))).toEqual([placed.body.data]);
    const lifted = await done(ada!.post(`/legal-holds/${holdId}/lift`));
    expect(lifted).toEqual({
      ...hold,
      recordings: 0,
      bytes: 0,
      lifted_at: expect.any(String),
    });
    expect(await done(ada!.get(`/legal-holds?organization_id=${acme.id}`))).toEqual([lifted]);
    const again = await ada!.post(`/legal-holds/${holdId}/lift`);
    expect(again.body).toEqual(refusal('CONFLICT', 'The legal hold has been lifted already.'));
  });

  it('covers recordings, folders and owners together, of a period, or else all of the organization', async () => {
    expect(await covered(inAcme)).toEqual(sorted(ofBob, inLegal, other));
    expect(await covered({ ...inAcme, to: '2025-06-30' })).toEqual([ofBob.id]);
    expect(await covered({ ...inAcme, from: '2025-07-01' })).toEqual(sorted(inLegal, other));
    expect(await covered({ ...inAcme, user_ids: [bob!.id] })).toEqual([ofBob.id]);
    expect(await covered({ ...inAcme, user_ids: [bob!.id], folder_ids: [legal.id] })).toEqual(
      sorted(ofBob, inLegal),
    );
    expect(await covered({ ...inAcme, user_ids: [bob!.id], from: '2025-07-01' })).toEqual([]);
    // Of an operator: all that somebody owns, wherever it is.
    expect(await covered({ user_ids: [bob!.id] }, operator)).toEqual(sorted(ofBob, personal));
    expect(await covered({ recording_ids: [ofEve.id, personal.id] }, operator)).toEqual(
      sorted(ofEve, personal),
    );
    expect(await covered(inAcme, operator)).toEqual(sorted(ofBob, inLegal, other));
  });

  it('covers what is added later, and keeps it wherever it is moved', async () => {
    const { id: hold } = await done(ada!.post('/legal-holds', { ...of, ...inAcme, folder_ids: [legal.id] }));
    const created = { title: 'New', media: 'none', ...inAcme };
    const { id: added } = await done(ada!.post('/recordings', { ...created, folder_id: legal.id }));
    const { id: moved } = await done(ada!.post('/recordings', created));
    expect(await held(hold)).toEqual(sorted(inLegal, { id: added }));
    await done(ada!.patch(`/recordings/${moved}`, { folder_id: legal.id }));
    await done(ada!.patch(`/recordings/${added}`, { folder_id: null }));
    expect(await held(hold)).toEqual(sorted(inLegal, { id: added }, { id: moved }));
    await done(ada!.post(`/legal-holds/${hold}/lift`));
  });

  it('is for OWNERs, each of their own organization, and operators', async () => {
    const { id: hold } = await done(
      ada!.post('/legal-holds', { ...of, ...inAcme, recording_ids: [other.id] }),
    );
    for (const stranger of [grace!, bobs!]) {
      expect(outcome(await stranger.post('/legal-holds', { ...of, ...inAcme }))).toEqual([403, 'FORBIDDEN']);
      expect(await done(stranger.get(`/legal-holds?organization_id=${acme.id}`))).toEqual([]);
    }
    expect(outcome(await ada!.post('/legal-holds', { ...of, user_ids: [bob!.id] }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    for (const stranger of [grace!, bobs!, eves!]) {
      expect(outcome(await stranger.get(`/legal-holds/${hold}`))).toEqual([404, 'NOT_FOUND']);
      expect(outcome(await stranger.post(`/legal-holds/${hold}/lift`))).toEqual([404, 'NOT_FOUND']);
      expect(await done(stranger.get('/legal-holds'))).toEqual([]);
    }
    const { id: ofOperator } = await done(operator!.post('/legal-holds', { ...of, user_ids: [bob!.id] }));
    expect(outcome(await ada!.get(`/legal-holds/${ofOperator}`))).toEqual([404, 'NOT_FOUND']);
    const all = await operator!.get('/legal-holds?limit=1');
    expect(all.body.data.map((one: { id: string }) => one.id)).toEqual([ofOperator]);
    const next = await done(operator!.get(`/legal-holds?limit=1&cursor=${all.body.pagination.next_cursor}`));
    expect(next.map((one: { id: string }) => one.id)).toEqual([hold]);
    for (const one of [hold, ofOperator]) await done(operator!.post(`/legal-holds/${one}/lift`));
  });

  it.each([
    [{ recording_ids: [ofBob.id, ofEve.id] }, 'recording_ids[1]: does not exist there'],
    [{ recording_ids: [personal.id] }, 'recording_ids[0]: does not exist there'],
    [{ recording_ids: ['nonsense'] }, 'recording_ids[0]: does not exist there'],
    [{ folder_ids: [legal.id, id()] }, 'folder_ids[1]: does not exist there'],
    [{ user_ids: [eve!.id] }, 'user_ids[0]: does not exist there'],
    [{ user_ids: [] }, 'user_ids: must contain at least 1 id'],
    [
      { recording_ids: Array.from({ length: 1_001 }, () => 'x') },
      'recording_ids: must contain at most 1000 ids',
    ],
    [{ from: '2026-02-01', to: '2026-01-31' }, 'from: must not be after to'],
    [{ from: '-1' }, 'from: must be an ISO 8601 date'],
    [{ matter: ' ' }, 'matter: must be a string of 1 to 200 characters'],
    [{ reason: 'x'.repeat(2_001) }, 'reason: must be a string of 1 to 2,000 characters'],
    [{ organization_id: undefined, folder_ids: [legal.id] }, 'folder_ids: requires organization_id'],
    [{ organization_id: undefined }, 'organization_id: required without recording_ids and user_ids'],
    [{ organization_id: undefined, user_ids: [id()] }, 'user_ids[0]: does not exist there'],
  ])('names what is wrong: %o', async (wrong, message) => {
    const by = 'organization_id' in wrong ? operator! : ada!;
    const { status, body } = await by.post('/legal-holds', { ...of, ...inAcme, ...wrong });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.message).toContain(message);
  });

  it('is in the audit log, for its OWNER and ADMIN', async () => {
    let hold = '';
    const rows = await changesOf(service.dataSource, async () => {
      ({ id: hold } = await done(ada!.post('/legal-holds', { ...of, ...inAcme })));
      await done(ada!.post(`/legal-holds/${hold}/lift`));
      const { id: ofOperator } = await done(operator!.post('/legal-holds', { ...of, user_ids: [bob!.id] }));
      await done(operator!.post(`/legal-holds/${ofOperator}/lift`));
    });
    expect(rows.map((row) => [row.type, row.organization_id])).toEqual([
      ['legal_hold.placed', acme.id],
      ['legal_hold.lifted', acme.id],
      ['legal_hold.placed', null],
      ['legal_hold.lifted', null],
    ]);
    const log = await done(grace!.get(`/organizations/${acme.id}/audit-log?type=legal_hold.placed&limit=1`));
    expect(log).toMatchObject([{ type: 'legal_hold.placed', target_id: hold }]);
  });

  it('is limited in number: an organization has at most 100 active ones', async () => {
    await service.dataSource.query(
      `INSERT INTO legal_holds (id, organization_id, matter, reason, recording_ids, folder_ids, user_ids, created_at)
       SELECT gen_random_uuid(), $1, 'Case', 'Letter', '{}', '{}', '{}', now() FROM generate_series(1, 100)`,
      [acme.id],
    );
    const { body } = await ada!.post('/legal-holds', { ...of, ...inAcme });
    expect(body).toEqual(refusal('CONFLICT', 'At most 100 legal holds can be active; lift one first.'));
    await service.dataSource.query('DELETE FROM legal_holds WHERE organization_id = $1', [acme.id]);
  });

  it.each([
    ['added', 'before'],
    ['added', 'after'],
    ['moved', 'before'],
    ['moved', 'after'],
  ] as const)('misses no recording that is %s meanwhile, and begun %s the hold', async (how, when) => {
    const { id: one } = recording('Ada');
    const insert = (folderId: string | null, manager = service.dataSource.manager): Promise<unknown> =>
      manager.query(
        `INSERT INTO recordings (id, owner_id, organization_id, folder_id, title, status, created_at, updated_at, progress)
         VALUES ($1, $2, $3, $4, 'Meanwhile', 'COMPLETED', now(), now(), 1)`,
        [one, people[0]!.id, acme.id, folderId],
      );
    if (how === 'moved') await insert(null);
    const change = (manager = service.dataSource.manager): Promise<unknown> =>
      how === 'added'
        ? insert(legal.id, manager)
        : manager.query('UPDATE recordings SET folder_id = $2 WHERE id = $1', [one, legal.id]);
    const runner = service.dataSource.createQueryRunner();
    await runner.startTransaction();
    let later: Promise<unknown>;
    if (when === 'before') {
      await change(runner.manager);
      later = ada!.post('/legal-holds', { ...of, ...inAcme, folder_ids: [legal.id] });
    } else {
      await runner.query('SELECT FROM organizations WHERE id = $1 FOR UPDATE', [acme.id]);
      await runner.query(
        `INSERT INTO legal_holds (id, organization_id, matter, reason, recording_ids, folder_ids, user_ids, created_at)
         VALUES ($1, $2, 'Case', 'Letter', '{}', ARRAY[$3]::uuid[], '{}', now())`,
        [id(), acme.id, legal.id],
      );
      later = change();
    }
    await expect(waits(later)).resolves.toBe(true);
    await runner.commitTransaction();
    await runner.release();
    await later;
    const holds: object[] = await service.dataSource.query('SELECT FROM legal_holds WHERE lifted_at IS NULL');
    const rows: object[] = await service.dataSource.query(
      'SELECT FROM held_recordings WHERE recording_id = $1',
      [one],
    );
    expect(rows).toHaveLength(holds.length);
  });

  /** Whether a statement of another connection waits for a lock, before it ends. */
  async function waits(work: Promise<unknown>): Promise<boolean> {
    const state = { ended: false };
    const end = (): void => void (state.ended = true);
    work.then(end, end);
    while (!state.ended) {
      const [row]: { waits: boolean }[] = await service.dataSource.query(
        `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits`,
      );
      if (row!.waits) return true;
    }
    return false;
  }
});
