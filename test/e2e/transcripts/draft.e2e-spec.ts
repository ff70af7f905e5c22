import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type TranscriptDraft,
  TranscriptsService,
} from '../../../src/modules/transcripts/transcripts.service.js';
import { SupersededError } from '../../../src/modules/pipeline/public/steps.js';
import { keyOf, recording, user } from '../../factories/workspace.js';
import type { Client } from '../../support/client.js';
import { startService, type TestService, WITH_TRANSCRIBER } from '../../support/service.js';
import { demoVideo } from '../../support/uploads.js';

/** So many segments of two seconds, spoken by Ada and then Grace. */
const said = (count: number): TranscriptDraft['segments'] =>
  Array.from({ length: count }, (_, index) => ({
    start: 2 * index,
    end: 2 * index + 1.5,
    text: `Sentence ${index}`,
    speaker: index < 30 ? 'Ada' : 'Grace',
    confidence: 1,
  }));

describe('the draft of a transcript', () => {
  let service: TestService;
  let ada: Client;
  let transcripts: TranscriptsService;
  let path: string;
  let job: { recordingId: string; attempt: string };

  beforeAll(async () => {
    // Without a worker: the test is the job.
    service = await startService(WITH_TRANSCRIBER);
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
    transcripts = service.app.get(TranscriptsService);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    const made = recording('Ada', { media: 'meeting.mp4' });
    await service.import({ recordings: [made] }, { 'meeting.mp4': demoVideo() });
    path = `/recordings/${made.id}`;
    job = await begun(made.id);
  });

  async function begun(recordingId: string): Promise<typeof job> {
    expect((await ada.post(`${path}/transcription`)).status).toBe(202);
    const [{ attempt }] = await service.dataSource.query<[{ attempt: string }]>(
      'SELECT attempt_id AS attempt FROM transcripts WHERE recording_id = $1',
      [recordingId],
    );
    return { recordingId, attempt };
  }
  const all = said(50);
  /** Saves the first segments, of which some have been saved before. */
  const save = (count: number, saved: number): Promise<void> =>
    transcripts.saveDraft(
      job,
      { progress: count / 100, segments: all.slice(0, count), state: { at: count } },
      all.slice(0, saved),
    );
  const page = async (query = '') => (await ada.get(`${path}/transcript${query}`)).body.data;
  const progress = async (): Promise<number> => (await ada.get(path)).body.data.transcription.progress;
  const idsOf = ({ segments }: { segments: { id: number }[] }): number[] => segments.map(({ id }) => id);
  const chunks = async (): Promise<number> => {
    const [{ count }] = await service.dataSource.query<[{ count: number }]>(
      'SELECT count(*)::int AS count FROM transcript_draft_chunks WHERE recording_id = $1',
      [job.recordingId],
    );
    return count;
  };

  it('is read in pages while it grows', async () => {
    expect(await page()).toMatchObject({ status: 'processing', segments: [], speakers: [], duration: 0 });
    await save(25, 0);
    expect(await page()).toMatchObject({
      speakers: ['Ada'],
      duration: 49.5,
      pagination: { total_chunks: 2, has_more: false },
    });
    expect(await progress()).toBe(0.25);
    await save(45, 25);
    expect(await progress()).toBe(0.45);
    const first = await page('?limit=2');
    expect(first).toMatchObject({
      speakers: ['Ada', 'Grace'],
      pagination: { total_chunks: 3, has_more: true },
    });
    const rest = await page('?start_chunk=2');
    expect(rest.pagination).toEqual({ total_chunks: 3, has_more: false });
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(Array.from({ length: 45 }, (_, id) => id));
    expect(rest.segments.at(-1)).toEqual({ id: 44, ...said(45)[44] });
    expect((await page('?start_chunk=3')).segments).toEqual([]);
  });

  it('is no file yet', async () => {
    await save(5, 0);
    const { status, body } = await ada.get(`${path}/transcript?format=srt`);
    expect([status, body.error.code]).toEqual([409, 'CONFLICT']);
  });

  it('is found by the attempt that continues it, and by no other', async () => {
    expect(await transcripts.findDraft(job)).toBeNull();
    await save(45, 0);
    const found = await transcripts.findDraft(job);
    expect(found).toMatchObject({ progress: 0.45, state: { at: 45 } });
    expect(found?.segments).toEqual(said(45).map((segment, id) => ({ id, ...segment })));
    const other = { ...job, attempt: '00000000-0000-7000-8000-000000000000' };
    expect(await transcripts.findDraft(other)).toBeNull();
    await expect(
      transcripts.saveDraft(other, { progress: 1, segments: said(1), state: null }, []),
    ).rejects.toThrow(SupersededError);
    expect((await transcripts.findDraft(job))?.segments).toHaveLength(45);
  });

  it('may have fewer segments than before, when an attempt ran twice', async () => {
    await save(45, 0);
    await save(22, 15);
    expect((await transcripts.findDraft(job))?.segments).toHaveLength(22);
    expect(idsOf(await page())).toEqual(Array.from({ length: 22 }, (_, id) => id));
    // The other run goes on from its own 45 segments, of which some are no longer there.
    await save(50, 45);
    expect(await transcripts.findDraft(job)).toBeNull();
  });

  it('is replaced by one that has nothing in common with it, such as of another model', async () => {
    await save(45, 0);
    const other = said(25).map((segment) => ({ ...segment, text: segment.text.toUpperCase() }));
    const found = await transcripts.findDraft(job);
    await transcripts.saveDraft(job, { progress: 0.1, segments: other, state: null }, found!.segments);
    expect((await transcripts.findDraft(job))?.segments).toEqual(
      other.map((segment, id) => ({ id, ...segment })),
    );
    expect((await page()).segments).toHaveLength(25);
  });

  it('ends when a transcript is sent', async () => {
    await save(45, 0);
    const sent = { segments: [{ start: 0, end: 1, text: 'Sent' }] };
    expect((await ada.request('PUT', `${path}/transcript`, { body: sent })).status).toBe(200);
    await expect(save(46, 45)).rejects.toThrow(SupersededError);
    expect(await transcripts.findDraft(job)).toBeNull();
    expect(await chunks()).toBe(0);
    expect(await page()).toMatchObject({ status: 'completed', segments: [{ text: 'Sent' }], duration: 1 });
    // A new attempt begins with nothing, and shows nothing of the old one.
    job = await begun(job.recordingId);
    expect(await transcripts.findDraft(job)).toBeNull();
    expect(await progress()).toBe(0);
    expect((await page()).segments).toEqual([]);
  });

  it('ends when the recording is deleted', async () => {
    await save(45, 0);
    expect((await ada.delete(path)).status).toBe(200);
    await expect(save(46, 45)).rejects.toThrow(SupersededError);
    expect(await chunks()).toBe(0);
  });
});
