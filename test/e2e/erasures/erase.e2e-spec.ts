import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SealingService } from '../../../src/modules/audit/seals/sealing.service.js';
import { canonicalHash } from '../../../src/lib/canonical-json.js';
import { keyOf, member, organization, user } from '../../factories/workspace.js';
import { done, refusal, type Client } from '../../support/client.js';
import { commandsOn } from '../../support/command-line.js';
import { columnsWith, filesWith } from '../../support/details.js';
import { settled, upload } from '../../support/packaged.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { makeSounds, measureSounds } from '../../support/sounds.js';

const NAME = 'Zmona Zleaver';
const WORDS = 'zquuxwords';
const SECONDS = 12;

/** Segments of the meeting, of which hers are from 3 to 5 and from 8 to 9 seconds. */
const SEGMENTS = [
  { start: 0, end: 2.5, speaker: 'Olga', text: 'Good morning' },
  { start: 3, end: 5, speaker: NAME, text: `${WORDS} one` },
  { start: 6, end: 7, speaker: 'Olga', text: 'I see' },
  { start: 8, end: 9, speaker: NAME.toUpperCase(), text: `${WORDS} two` },
];

describe('the erasure of a person', () => {
  let service: TestService;
  let folder: string;
  let olga: Client;
  let mona: Client;
  let meetingId: string;
  let ownId: string;
  let elsewhereId: string;
  let erasure: ReturnType<typeof JSON.parse>;
  const leaver = user('Mona', { name: NAME, email: 'zmona@acme.test' });
  const acme = organization('Acme', {
    members: [member('Olga', 'OWNER'), { email: leaver.email, role: 'EDITOR' }],
  });
  const beta = organization('Beta', {
    members: [member('Olga', 'OWNER'), { email: leaver.email, role: 'EDITOR' }],
  });
  const at = `/organizations/${acme.id}/erasures`;
  const { cli } = commandsOn(() => service);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mrs-erasure-'));
    service = await startService({ MEDIA_URL_TTL: '86400' }, { worker: true });
    await service.import({ users: [user('Olga'), leaver], organizations: [acme, beta] });
    olga = service.api.as(keyOf('Olga'));
    mona = service.api.as(keyOf('Mona'));
    const video = { codec: 'libx264', width: 64, height: 48, seconds: SECONDS };
    const tone = {
      codec: 'aac',
      rate: 48_000,
      channels: 1,
      levels: Array.from({ length: 4 * SECONDS }, () => 0.3),
    };
    await makeSounds(folder, [{ name: 'meeting.mp4', format: 'mp4', video, tracks: [tone] }]);
    const film = await readFile(join(folder, 'meeting.mp4'));
    meetingId = await upload(olga, film, { organization_id: acme.id });
    await settled(olga, meetingId);
    await spoken(olga, meetingId, SEGMENTS);
    // Before, she was not known by her name, and what she said was understood otherwise.
    const segments = `/recordings/${meetingId}/transcript/segments`;
    await done(olga.patch(`${segments}/1`, { text: `${WORDS} corrected` }));
    await done(
      olga.request('PUT', `/recordings/${meetingId}/summary`, {
        body: { content: 'We met', actionItems: [{ text: 'Call', owner: NAME }] },
      }),
    );
    await done(olga.patch(`/recordings/${meetingId}`, { notes: `Ask ${NAME} again` }));
    ownId = (await done(mona.post('/recordings', { title: WORDS, media: 'none', organization_id: acme.id })))
      .id;
    elsewhereId = (
      await done(olga.post('/recordings', { title: 'Beta', media: 'none', organization_id: beta.id }))
    ).id;
    await spoken(olga, elsewhereId, [{ start: 0, end: 1, speaker: NAME, text: 'Something else' }]);
    const voices = `INSERT INTO transcript_voices SELECT $1, n, $2, (ARRAY['Olga', $3, 'Speaker 1'])[n], now(), 9, 'voices.onnx',
      '', CASE n WHEN 3 THEN lower($3::text) END, 0.9 FROM generate_series(1, 3) n`;
    for (const [recordingId, { id }] of [
      [meetingId, acme],
      [elsewhereId, beta],
    ] as const)
      await service.dataSource.query(voices, [recordingId, id, NAME]);
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  const spoken = (api: Client, id: string, segments: object[]) =>
    done(api.request('PUT', `/recordings/${id}/transcript`, { body: { language: 'en', segments } }));
  const segmentsOf = async (id: string) => (await done(olga.get(`/recordings/${id}/transcript`))).segments;

  it('is for an OWNER, and names somebody', async () => {
    expect((await mona.post(at, { email: leaver.email })).body).toMatchObject(refusal('FORBIDDEN'));
    expect((await olga.post(at, {})).body).toMatchObject(refusal('VALIDATION_ERROR'));
    expect((await olga.post(at, { user_id: beta.id })).body).toMatchObject(refusal('VALIDATION_ERROR'));
    expect((await olga.get(`${at}/${beta.id}`)).body).toMatchObject(refusal('NOT_FOUND'));
  });

  it('begins with a preview, which changes nothing', async () => {
    const created = await olga.post(at, { email: leaver.email });
    expect([created.status, created.headers.get('location')]).toEqual([
      201,
      `/api/v1${at}/${created.body.data.id}`,
    ]);
    erasure = created.body.data;
    expect(erasure).toMatchObject({
      status: 'previewed',
      user_id: leaver.id,
      speaker_names: [NAME],
      counts: {
        recordings_deleted: 1,
        recordings_changed: 1,
        segments: 2,
        action_items: 1,
        memberships: 1,
        voices: 2,
      },
      review: [{ recording_id: meetingId, fields: ['notes', 'summary'] }],
      receipt: null,
    });
    expect((await segmentsOf(meetingId))[1]).toMatchObject({ speaker: NAME, text: `${WORDS} corrected` });
  });

  it('leaves nothing of what they own, say and are named by in the organization', async () => {
    await done(olga.patch(`/recordings/${meetingId}`, { notes: 'Ask again' }));
    const { hlsUrl: before } = await done(olga.get(`/recordings/${meetingId}`));
    const old = await service.objects();
    expect((await olga.post(`${at}/${erasure.id}/run`, {})).status).toBe(202);
    await eventually(async () => {
      erasure = await done(olga.get(`${at}/${erasure.id}`));
      expect([erasure.status, erasure.status_reason]).toEqual(['completed', null]);
    });
    expect(erasure).toMatchObject({ email: null, user_id: null, speaker_names: [] });
    expect(erasure.receipt).toMatchObject({
      counts: {
        recordings_deleted: 1,
        recordings_changed: 1,
        recordings_silenced: 1,
        segments: 2,
        action_items: 1,
        memberships: 1,
        voices: 2,
      },
      recordings: [meetingId, ownId].toSorted(),
    });
    const erased = { speaker: 'Erased person', text: '[erased]' };
    expect(await segmentsOf(meetingId)).toMatchObject([SEGMENTS[0], erased, SEGMENTS[2], erased]);
    expect((await done(olga.get(`/recordings/${meetingId}/summary`))).actionItems).toMatchObject([
      { owner: null },
    ]);
    expect((await olga.get(`/recordings/${ownId}`)).body).toMatchObject(refusal('RECORDING_NOT_FOUND'));
    expect((await mona.get(`/organizations/${acme.id}`)).status).toBe(403);
    await eventually(async () => {
      expect(await columnsWith(service.dataSource, [WORDS])).toEqual([]);
      expect((await service.objects()).filter((key) => old.includes(key))).toEqual([]);
    });
    // Hers in another organization, and as a user.
    expect(await columnsWith(service.dataSource, [NAME.toLowerCase()])).toEqual([
      'transcript_chunks.segments',
      'transcript_revisions.speakers',
      'transcript_voices.speaker',
      'transcript_voices.suggestion',
      'transcripts.speaker_statistics',
      'transcripts.speakers',
      'users.name',
    ]);
    expect((await segmentsOf(elsewhereId))[0]).toMatchObject({ speaker: NAME, text: 'Something else' });
    expect((await fetch(before)).status).toBe(404);
  }, 60_000);

  it('makes their words inaudible, and nothing else', async () => {
    const { videoUrl } = await done(olga.get(`/recordings/${meetingId}`));
    const path = join(folder, 'erased.mp4');
    await writeFile(path, Buffer.from(await (await fetch(videoUrl)).arrayBuffer()));
    const [heard] = await measureSounds([{ path }]);
    // The last quarter is what the encoder adds.
    const levels = heard!.levels.slice(0, 4 * SECONDS);
    const silent = levels.flatMap((level, quarter) => (level < 0.01 ? [quarter / 4] : []));
    const loud = levels.flatMap((level, quarter) => (level > 0.25 ? [quarter / 4] : []));
    const hers = [3, 3.25, 3.5, 3.75, 4, 4.25, 4.5, 4.75, 8, 8.25, 8.5, 8.75];
    expect(silent).toEqual(hers);
    const all = Array.from({ length: 4 * SECONDS }, (_, quarter) => quarter / 4);
    // A tenth of a second before and after is muted as well.
    const margins = [2.75, 7.75];
    expect(loud).toEqual(all.filter((time) => ![...hers, ...margins].includes(time)));
    expect(heard!.video!.end).toBeCloseTo(SECONDS, 0);
  });

  it('is proved by its receipt, in the sealed audit log', async () => {
    const file = join(folder, 'receipt.json');
    await writeFile(file, JSON.stringify(erasure.receipt));
    const verify = () => cli('--quiet', 'audit', 'verify', '--receipt', file);
    expect(await verify()).toMatchObject({ status: 1, stderr: expect.stringContaining('No sealed row') });
    await service.app.get(SealingService).run();
    expect(await verify()).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('The receipt is genuine'),
    });
    const { data } = (await olga.get(`/organizations/${acme.id}/audit-log?type=erasure.completed`)).body;
    const { counts, hash } = erasure.receipt;
    expect(data).toMatchObject([{ target_id: erasure.id, changes: { counts, hash } }]);

    await writeFile(file, JSON.stringify({ ...erasure.receipt, counts: { ...counts, segments: 3 } }));
    expect(await verify()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('the receipt was changed'),
    });
    const forged = { ...erasure.receipt, counts: {}, hash: undefined };
    await writeFile(file, JSON.stringify({ ...forged, hash: canonicalHash(forged) }));
    expect(await verify()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('No sealed row of the audit log has the hash'),
    });
  });

  it('of the whole installation ends with the user, and leaves nothing at all', async () => {
    const output = join(folder, 'receipt-of-all.json');
    const { status, stdout, stderr } = await cli('users', 'erase', '--id', leaver.id, '--yes');
    expect([status, stderr]).toEqual([0, expect.stringContaining('memberships: 1')]);
    await writeFile(output, stdout);
    expect(JSON.parse(stdout)).toMatchObject({
      organization_id: null,
      counts: { recordings_deleted: 0, recordings_changed: 1, segments: 1, recordings_without_audio: 1 },
    });
    expect(await segmentsOf(elsewhereId)).toMatchObject([{ speaker: 'Erased person', text: '[erased]' }]);
    await eventually(async () => {
      expect(await columnsWith(service.dataSource, [NAME.toLowerCase(), leaver.email, WORDS])).toEqual([]);
    });
    expect(await filesWith(join(service.dataDir, 'objects'), [WORDS])).toEqual([]);
    await service.app.get(SealingService).run();
    const verified = await cli('--quiet', 'audit', 'verify', '--receipt', output);
    expect([verified.status, verified.stderr]).toEqual([0, '']);
  }, 60_000);
});
