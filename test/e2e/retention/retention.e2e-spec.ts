import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RecordingViewsService } from '../../../src/modules/recordings/access/recording-views.service.js';
import { RetentionRunsService } from '../../../src/modules/retention/retention-runs.service.js';
import {
  folder,
  id,
  keyOf,
  member,
  organization,
  recording,
  summary,
  transcript,
  user,
} from '../../factories/workspace.js';
import { changesOf, type LoggedChange } from '../../support/changes.js';
import { refusal, type Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const NOW = new Date('2026-06-15T12:00:00.000Z');
const DAY = 24 * 60 * 60 * 1000;
const inDays = (days: number): Date => new Date(NOW.getTime() + days * DAY);
const NO_EXCEPTIONS = { titles: [], owner_ids: [], folder_ids: [] };

describe('retention', () => {
  let service: TestService;
  const board = folder('Board');
  const [ada, grace, eve] = [user('Ada'), user('Grace'), user('Eve', { plan: 'FREE' })];
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER'), member('Grace', 'ADMIN'), member('Vic', 'VIEWER')],
    folders: [board],
  });
  const beta = organization('Beta', { members: [member('Ada', 'OWNER')] });
  const place = `/organizations/${acme.id}/retention`;

  beforeAll(async () => {
    service = await startService({ PERSONAL_RETENTION_DAYS: '40', RETENTION_MAX_DAYS_FREE: '20' });
    await service.import({ users: [ada, grace, eve, user('Vic')], organizations: [acme, beta] });
  });
  afterAll(() => service.stop());

  const as = (name: string): Client => service.api.as(keyOf(name));
  const put = (rules: unknown, more: object = {}, name = 'Ada') =>
    as(name).request('PUT', place, { body: { rules, ...more } });
  const detail = async (recordingId: string) => (await as('Ada').get(`/recordings/${recordingId}`)).body.data;
  const shown = async (recordingId: string) => {
    const { retentionEndsAt, retentionRule } = await detail(recordingId);
    return retentionRule && [retentionRule.removes, retentionRule.source, retentionEndsAt];
  };
  const sql = (text: string, ...values: unknown[]) => service.dataSource.query(text, values);

  /** Sets rules as if they had been in force for long, and returns the id of the first. */
  async function enforce(rules: readonly object[], noticeDays = 0): Promise<string> {
    service.setNow(inDays(-500));
    const { status, body } = await put(rules, { notice_days: noticeDays });
    expect(status).toBe(200);
    service.setNow(NOW);
    return body.data.rules[0].id;
  }

  /** A meeting so many days ago, in Acme, with everything that rules can remove. */
  async function met(days: number, overrides: object = {}): Promise<string> {
    const made = recording('Ada', {
      organization: 'Acme',
      createdAt: inDays(-days).toISOString(),
      transcript: transcript(25),
      summary,
      media: 'media.mp4',
      ...overrides,
    });
    await service.import({ recordings: [made] }, { 'media.mp4': 'moving pictures' });
    return made.id;
  }

  /** Runs at a time, and returns what was logged of a recording. */
  async function run(recordingId: string, now = NOW): Promise<(string | object)[][]> {
    service.setNow(now);
    const changes = await changesOf(service.dataSource, () => service.app.get(RetentionRunsService).run());
    service.setNow(NOW);
    return changes.filter((one) => one.recording_id === recordingId).map(typeAndDetails);
  }
  const purgesOf = async (recordingId: string) => {
    const found = `SELECT details FROM change_log WHERE type = 'recording.purged' AND recording_id = $1`;
    return (await sql(found, recordingId)).map(({ details }: { details: object }) => details);
  };
  const typeAndDetails = ({ type, details }: LoggedChange) => [type, details];

  describe('the rules of an organization', () => {
    it('are replaced by an OWNER, read by OWNER and ADMIN, logged, and in force after the notice', async () => {
      service.setNow(NOW);
      expect((await as('Grace').get(place)).body.data).toEqual({ notice_days: 7, rules: [] });
      const given = {
        removes: 'media',
        days: 90,
        except: { ...NO_EXCEPTIONS, titles: ['Board *'] },
      };
      const changes = await changesOf(service.dataSource, () => put([given], { notice_days: 14 }));
      expect(changes.map(typeAndDetails)).toEqual([['organization.updated', { fields: ['retention'] }]]);
      const rule = {
        ...given,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        counted_from: 'meeting',
        folder_id: null,
        effective_at: inDays(14).toISOString(),
      };
      expect((await as('Grace').get(place)).body.data).toEqual({ notice_days: 14, rules: [rule] });
      const forbidden = { status: 403, body: refusal('FORBIDDEN') };
      expect(await put([], {}, 'Grace')).toMatchObject(forbidden);
      expect(await as('Vic').get(place)).toMatchObject(forbidden);
      expect(await as('Vic').get(`${place}/preview`)).toMatchObject(forbidden);
    });

    it('stay in force where they stay as they were', async () => {
      service.setNow(NOW);
      await put([{ removes: 'media', days: 90 }]);
      service.setNow(inDays(30));
      const { body } = await put([
        { removes: 'media', days: 90 },
        { removes: 'all', days: 900 },
      ]);
      service.setNow(NOW);
      const times = body.data.rules.map((one: { effective_at: string }) => one.effective_at);
      expect(times).toEqual([inDays(7).toISOString(), inDays(37).toISOString()]);
    });

    const nobody = id();
    it.each([
      [[{ removes: 'all', days: -1 }], 'rules[0].days: must be at least 0'],
      [[{ removes: 'all', days: 0 }], 'rules[0].days: must be at least 1, except for media and original'],
      [[{ removes: 'all', days: 36_501 }], 'rules[0].days: must be at most 36500'],
      [
        [{ removes: 'all', days: 9, folder_id: nobody }],
        `rules[0].folder_id: ${nobody} is no folder of the organization`,
      ],
      [
        [{ removes: 'all', days: 9, except: { folder_ids: [board.id, nobody] } }],
        `rules[0].except.folder_ids: ${nobody} is no folder of the organization`,
      ],
      [
        [{ removes: 'all', days: 9, except: { owner_ids: [nobody] } }],
        `rules[0].except.owner_ids: ${nobody} is no member of the organization`,
      ],
      [
        [
          { removes: 'all', days: 9 },
          { removes: 'all', days: 10 },
        ],
        'rules[1].removes: is already in rules[0], for the same recordings',
      ],
    ])('are refused: %j', async (rules, message) => {
      const { status, body } = await put(rules);
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(body.error.message).toContain(message);
    });
  });

  it('shows when something goes, and why, in detail and list, and follows moves, never without notice', async () => {
    const rule = await enforce(
      [
        { removes: 'all', days: 100, except: { folder_ids: [board.id] } },
        { removes: 'media', days: 60, folder_id: board.id },
      ],
      7,
    );
    const meeting = await met(10);
    const all = ['all', 'organization', inDays(90).toISOString()];
    expect(await shown(meeting)).toEqual(all);
    const list = await as('Ada').get(`/recordings?organization_id=${acme.id}`);
    expect(list.body.data.find((one: { id: string }) => one.id === meeting)).toMatchObject({
      retentionEndsAt: inDays(90).toISOString(),
      retentionRule: { id: rule, removes: 'all', source: 'organization' },
    });
    await as('Ada').patch(`/recordings/${meeting}`, { folder_id: board.id });
    expect(await shown(meeting)).toEqual(['media', 'folder', inDays(50).toISOString()]);
    await as('Ada').patch(`/recordings/${meeting}`, { folder_id: null });
    expect(await shown(meeting)).toEqual(all);
    const old = await met(80);
    await as('Ada').patch(`/recordings/${old}`, { folder_id: board.id });
    expect(await shown(old)).toEqual(['media', 'folder', inDays(7).toISOString()]);
    await as('Ada').patch(`/recordings/${meeting}`, { organization_id: beta.id });
    expect(await shown(meeting)).toBeNull();
    await as('Ada').patch(`/recordings/${meeting}`, { organization_id: null });
    expect(await shown(meeting)).toEqual(['all', 'installation', inDays(30).toISOString()]);
  });

  it('removes media and leaves the texts', async () => {
    const [old, recent, kept] = [await met(31), await met(29), await met(31, { title: 'Börd meeting' })];
    const rule = await enforce([{ removes: 'media', days: 30, except: { titles: ['BORD *'] } }]);
    const url = (await detail(old)).videoUrl;
    expect((await fetch(url)).status).toBe(200);
    expect(await run(old)).toEqual([['recording.purged', { removes: 'media', rule }]]);
    expect(await detail(old)).toMatchObject({
      status: 'COMPLETED',
      media: 'none',
      videoUrl: null,
      transcription: { status: 'completed', segmentsCount: 25 },
      summary: { status: 'completed' },
      retentionRule: null,
    });
    expect((await fetch(url)).status).toBe(403);
    const [{ stored_bytes: bytes }] = await sql('SELECT stored_bytes FROM recordings WHERE id = $1', old);
    expect(bytes).toBe('0');
    for (const other of [recent, kept]) expect((await detail(other)).media).toBe('available');
    expect(await run(old)).toEqual([]);
  });

  it('removes the transcript, what a search finds of it, and its revisions, and leaves the summary', async () => {
    const rule = await enforce([{ removes: 'transcript', days: 30 }]);
    const meeting = await met(31);
    expect(await run(meeting)).toEqual([['recording.purged', { removes: 'transcript', rule }]]);
    const { transcription, summary: kept, media } = await detail(meeting);
    expect([transcription.status, kept.status, media]).toEqual(['not_started', 'completed', 'available']);
    const entries = await sql(
      `SELECT source FROM search_entries WHERE recording_id = $1 AND source = 'transcript'`,
      meeting,
    );
    expect(entries).toEqual([]);
  });

  it('removes the original once there is a converted file', async () => {
    await enforce([{ removes: 'original', days: 0 }]);
    const [plain, converted] = [await met(1), await met(1)];
    await sql(
      `UPDATE recordings SET source_key = 'recordings/' || id || '/1/source' WHERE id = $1`,
      converted,
    );
    expect(await run(plain)).toEqual([]);
    const [row] = await sql(
      'SELECT source_key, media_key IS NOT NULL AS media FROM recordings WHERE id = $1',
      converted,
    );
    expect(row).toEqual({ source_key: null, media: true });
    expect((await detail(converted)).retentionRule).toBeNull();
  });

  it('removes all of a recording, also from the bin, but nothing under legal hold', async () => {
    const rule = await enforce([{ removes: 'all', days: 30 }]);
    const [old, held, binned] = [await met(31), await met(31), await met(31)];
    const hold = id();
    await sql(
      `INSERT INTO legal_holds (id, organization_id, matter, reason, recording_ids, folder_ids, user_ids, created_at)
       VALUES ($1, $2, 'Case 1', 'Court', ARRAY[$3::uuid], '{}', '{}', now())`,
      hold,
      acme.id,
      held,
    );
    await sql('INSERT INTO held_recordings VALUES ($1, $2)', held, hold);
    await sql(
      `UPDATE recordings SET deleted_at = now(), purge_at = 'infinity', deleted_owner_id = owner_id,
         deleted_organization_id = organization_id, owner_id = NULL, organization_id = NULL WHERE id = $1`,
      binned,
    );
    expect(await run(old)).toEqual([
      ['recording.purged', { removes: 'all', rule }],
      ['recording.deleted', {}],
    ]);
    expect(await purgesOf(binned)).toEqual([{ removes: 'all', rule: null }]);
    const left = await sql('SELECT id FROM recordings WHERE id = ANY ($1)', [old, held, binned]);
    expect(left).toEqual([{ id: held }]);
    await sql('DELETE FROM legal_holds WHERE id = $1', hold);
    expect(await run(held)).toHaveLength(2);
  });

  it('with zero days, removes media once transcript and summary are completed, and otherwise after a day', async () => {
    const rule = await enforce([{ removes: 'media', days: 0 }]);
    const [done, failed, running] = [await met(0), await met(0), await met(0)];
    const status = `UPDATE transcripts SET status = $2, status_reason = 'No.' WHERE recording_id = $1`;
    await sql(status, failed, 'failed');
    await sql(status, running, 'processing');
    expect(await run(done)).toEqual([['recording.purged', { removes: 'media', rule }]]);
    const mediaOf = async () => [(await detail(failed)).media, (await detail(running)).media];
    expect(await mediaOf()).toEqual(['available', 'available']);
    await run(done, inDays(1.1));
    expect(await mediaOf()).toEqual(['none', 'available']);
    await sql(status, running, 'completed');
    await run(done);
    expect(await mediaOf()).toEqual(['none', 'none']);
  });

  it('announces what will go, once for each end', async () => {
    const rule = await enforce([{ removes: 'all', days: 30, counted_from: 'last_view' }], 10);
    const meeting = await met(21);
    const due = (days: number) => [
      'recording.retention_due',
      { removes: 'all', rule, at: inDays(days).toISOString() },
    ];
    expect(await run(meeting)).toEqual([due(9)]);
    expect(await run(meeting)).toEqual([]);
    service.setNow(inDays(1));
    await detail(meeting);
    await service.app.get(RecordingViewsService).flush();
    expect(await run(meeting, inDays(9))).toEqual([]);
    expect(await run(meeting, inDays(22))).toEqual([due(31)]);
    expect(await run(meeting, inDays(31))).toHaveLength(2);
  });

  it('previews what goes, and when', async () => {
    const ruleId = await enforce([{ removes: 'all', days: 400 }]);
    const meeting = await met(380);
    const rule = { id: ruleId, removes: 'all', source: 'organization' };
    const preview = (await as('Grace').get(`${place}/preview?days=30`)).body.data;
    const recordings = [{ id: meeting, title: 'Weekly sync', ends_at: inDays(20).toISOString(), rule }];
    expect(preview).toEqual({ total: 1, recordings });
    expect((await as('Ada').get(`${place}/preview?days=10`)).body.data).toEqual({
      total: 0,
      recordings: [],
    });
  });

  it('applies what the installation and the plan say of personal recordings', async () => {
    const [ofAda, ofEve] = [
      await met(41, { organization: null }),
      await met(21, { organization: null, owner: eve.email }),
    ];
    expect(await run(ofAda)).toEqual([
      ['recording.purged', { removes: 'all', rule: null }],
      ['recording.deleted', {}],
    ]);
    expect((await as('Eve').get(`/recordings/${ofEve}`)).status).toBe(404);
  });
});
