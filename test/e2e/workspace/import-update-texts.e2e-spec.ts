import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ImportReport } from '../../../src/modules/workspace/import-report.js';
import { describe as printed } from '../../../src/modules/workspace/import-report.js';
import { keyOf, recording, summary, transcript, user } from '../../factories/workspace.js';
import { startService, type TestService } from '../../support/service.js';

const call = recording('Ada', { transcript: transcript(45), summary });
const bare = recording('Ada', { title: 'Bare' });
const before = { users: [user('Ada')], recordings: [call, bare] };
const otherSummary = { content: 'Ship it on Monday', topics: [] };
const BY_PEOPLE =
  'it was written or corrected by a user; send it with PUT /recordings/:id/transcript to replace it';
const NOT_OURS =
  'it was not written by an import or has been changed since, and the current version would be lost; send it with PUT /recordings/:id/summary to replace it';

describe('An update of texts from a workspace file', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });
  beforeEach(async () => {
    await service.dataSource.query('TRUNCATE users, api_keys, organizations, recordings CASCADE');
    await service.import(before);
  });
  afterAll(() => service.stop());

  const ada = () => service.api.as(keyOf('Ada'));
  const update = (overrides: object, of = call): Promise<ImportReport> =>
    service.import({ recordings: [{ ...of, ...overrides }] }, {}, { update: true });
  const listed = async (overrides: object, of = call): Promise<unknown[]> =>
    (await update(overrides, of)).differences.map((one) => [
      one.field,
      one.database,
      one.file,
      one.updated,
      one.note,
    ]);
  const textOf = async (): Promise<string[]> =>
    (await ada().get(`/recordings/${call.id}/transcript`)).body.data.segments.map(
      (segment: { text: string }) => segment.text,
    );
  const contentOf = async (): Promise<string> =>
    (await ada().get(`/recordings/${call.id}/summary`)).body.data.content;

  it('finds no difference in what it has imported', async () => {
    expect(await listed({})).toEqual([]);
  });

  it('makes another transcript a new revision, and keeps the earlier one', async () => {
    expect(await listed({ transcript: transcript(2) })).toEqual([
      ['transcript', '45 segments', 'another with 2 segments', true, 'the earlier one can be restored'],
    ]);
    expect(await textOf()).toEqual(['Sentence 0', 'Sentence 1']);
    const { data } = (await ada().get(`/recordings/${call.id}/transcript/revisions`)).body;
    expect(
      data.map((one: { cause: string; segmentsCount: number }) => [one.cause, one.segmentsCount]),
    ).toEqual([
      ['import', 2],
      ['import', 45],
    ]);
    expect(await listed({ transcript: transcript(2) })).toEqual([]);
    expect(await listed({ transcript: transcript(45) })).toHaveLength(1);
    expect(await textOf()).toHaveLength(45);
  });

  it('replaces its own summaries, again and again', async () => {
    expect(await listed({ summary: otherSummary })).toEqual([['summary', 'one', 'another', true, null]]);
    expect(await contentOf()).toBe('Ship it on Monday');
    expect(await listed({ summary: otherSummary })).toEqual([]);
    expect(await listed({})).toEqual([['summary', 'one', 'another', true, null]]);
    expect(await contentOf()).toBe(summary.content);
  });

  it('adds texts to a recording that has none', async () => {
    expect(await listed({ transcript: transcript(1), summary }, bare)).toEqual([
      ['transcript', 'none', '1 segment', true, null],
      ['summary', 'none', 'one', true, null],
    ]);
    expect((await ada().get('/recordings/search?q=launch')).body.data).toHaveLength(2);
  });

  it.each([
    ['corrected', { text: 'Corrected' }, 'segments/3'],
    ['given other speakers', { from: 'Ada', to: 'Ada Lovelace' }, 'speakers'],
  ])('leaves a transcript alone that people have %s', async (_, correction, path) => {
    const reply = await ada().patch(`/recordings/${call.id}/transcript/${path}`, correction);
    expect(reply.status).toBe(200);
    const corrected = await textOf();
    expect(await listed({ transcript: transcript(2) })).toEqual([
      ['transcript', '45 segments', 'another with 2 segments', false, BY_PEOPLE],
    ]);
    // Also what the file said all along.
    expect(await listed({})).toEqual([
      ['transcript', '45 segments', 'another with 45 segments', false, BY_PEOPLE],
    ]);
    expect(await textOf()).toEqual(corrected);
  });

  it('leaves alone what clients have sent, also where there was nothing before', async () => {
    const sent = { method: 'PUT', headers: { 'content-type': 'application/json' } };
    for (const { id } of [call, bare]) {
      const put = (path: string, body: object) =>
        ada().request('PUT', `/recordings/${id}/${path}`, { ...sent, body });
      expect((await put('transcript', transcript(3))).status).toBe(200);
      expect((await put('summary', { content: 'By hand' })).status).toBe(200);
    }
    const left = [
      ['transcript', '3 segments', 'another with 1 segment', false, BY_PEOPLE],
      ['summary', 'one', 'another', false, NOT_OURS],
    ];
    expect(await listed({ transcript: transcript(1), summary })).toEqual(left);
    expect(await listed({ transcript: transcript(1), summary }, bare)).toEqual(left);
    expect(await contentOf()).toBe('By hand');
  });

  it('sees that a restored transcript is the same, however PostgreSQL has formatted it', async () => {
    const { body } = await ada().get(`/recordings/${call.id}/transcript/revisions`);
    await ada().patch(`/recordings/${call.id}/transcript/speakers`, { from: 'Ada', to: 'Lin' });
    await ada().patch(`/recordings/${call.id}/transcript/speakers`, { from: 'Lin', to: 'Ada' });
    expect(body.data[0].revision).toBe(1);
    expect(await listed({})).toEqual([]);
  });

  it('replaces what a transcription has written, but not while one runs', async () => {
    await service.dataSource.query('UPDATE transcripts SET generated = true WHERE recording_id = $1', [
      call.id,
    ]);
    await service.dataSource.query("UPDATE transcript_revisions SET cause = 'transcription'");
    expect(await listed({ transcript: transcript(4) })).toHaveLength(1);
    expect(await textOf()).toHaveLength(4);
    await service.dataSource.query(
      "UPDATE transcripts SET status = 'processing', attempt_id = gen_random_uuid() WHERE recording_id = $1",
      [call.id],
    );
    expect(await listed({ transcript: transcript(5) })).toEqual([
      ['transcript', '4 segments', 'another with 5 segments', false, 'it is being generated'],
    ]);
  });

  it('compares the language where the file has one, and never shows any text', async () => {
    const report = await update({ transcript: transcript(45, { language: 'de' }), summary: otherSummary });
    expect(printed(report).split('\n').slice(6)).toEqual([
      `recording "Weekly sync" (${call.id}): transcript was 45 segments in en, is now 45 segments in de; the earlier one can be restored`,
      `recording "Weekly sync" (${call.id}): summary was one, is now another`,
    ]);
    expect(
      await listed({ transcript: transcript(45, { language: undefined }), summary: otherSummary }),
    ).toEqual([]);
  });
});
