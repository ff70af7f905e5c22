import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, organization, member, recording, transcript, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { startService, WITH_TRANSCRIBER, type TestService } from '../../support/service.js';
import { created } from '../../support/uploads.js';

const NOW = '2026-03-02T10:00:00.000Z';
const JSON_TYPE = { 'content-type': 'application/json' };
/** Two chunks and a half. */
const ROWS = 50;

interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly speaker?: string;
}
const said = (count: number, textOf: (row: number) => string = (row) => `Word ${row}`): Segment[] =>
  Array.from({ length: count }, (_, row) => ({
    start: row,
    end: row + 1,
    text: textOf(row),
    speaker: 'Ada',
  }));

describe('the revisions of a transcript', () => {
  let service: TestService;
  let ada: Client;
  let edith: Client;
  const [adaUser, edithUser] = [user('Ada'), user('Edith')];
  const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Edith', 'ADMIN')] });

  beforeAll(async () => {
    service = await startService(WITH_TRANSCRIBER);
    await service.import({ users: [adaUser, edithUser], organizations: [acme] });
    [ada, edith] = [service.api.as(keyOf('Ada')), service.api.as(keyOf('Edith'))];
  });
  afterAll(() => service.stop());

  async function meeting(segments: Segment[] = said(ROWS)): Promise<string> {
    const { id } = await created(ada, { media: 'none', organization_id: acme.id });
    expect((await put(id, segments)).status).toBe(200);
    return id;
  }
  const put = (id: string, segments: Segment[], language = 'en', api = ada): Promise<Reply> =>
    api.request('PUT', `/recordings/${id}/transcript`, {
      body: JSON.stringify({ language, segments }),
      headers: JSON_TYPE,
    });
  const correct = (id: string, segment: number, text: string, api = ada): Promise<Reply> =>
    api.patch(`/recordings/${id}/transcript/segments/${segment}`, { text });
  const rename = (id: string, from: string, to: string): Promise<Reply> =>
    ada.patch(`/recordings/${id}/transcript/speakers`, { from, to });
  const list = async (id: string) => (await ada.get(`/recordings/${id}/transcript/revisions`)).body.data;
  const numbers = async (id: string): Promise<number[]> =>
    (await list(id)).map(({ revision }: { revision: number }) => revision);
  const restore = (id: string, revision: unknown, ifMatch?: string, api = ada): Promise<Reply> =>
    api.request('POST', `/recordings/${id}/transcript/revisions/${revision}/restore`, {
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    });
  /** Everything that readers see of the transcript, except its revision. */
  async function content(id: string): Promise<object> {
    const { revision: _, ...page } = (await ada.get(`/recordings/${id}/transcript?limit=100`)).body.data;
    return page;
  }
  const found = async (word: string): Promise<string[]> =>
    (await ada.get(`/recordings/search?q=${word}`)).body.data.map((item: { id: string }) => item.id);
  const keptChunks = (id: string): Promise<object[]> =>
    service.dataSource.query(
      `SELECT superseded_by AS by, chunk_index AS chunk FROM superseded_transcript_chunks
       WHERE recording_id = $1 ORDER BY 1, 2`,
      [id],
    );

  it('lists what each change made, by whom, newest first', async () => {
    service.setNow(new Date(NOW));
    const id = await meeting();
    await correct(id, 3, 'Corrected', edith);
    await rename(id, 'Ada', 'Grace');
    await restore(id, 1);
    service.setNow(null);
    const [adaNamed, edithNamed] = [adaUser, edithUser].map(({ id: own, name }) => ({ id: own, name }));
    const common = { createdAt: NOW, segmentsCount: ROWS, language: 'en' };
    expect(await list(id)).toEqual([
      { revision: 4, cause: 'restore', createdBy: adaNamed, current: true, ...common },
      { revision: 3, cause: 'speakers', createdBy: adaNamed, current: false, ...common },
      { revision: 2, cause: 'correction', createdBy: edithNamed, current: false, ...common },
      { revision: 1, cause: 'import', createdBy: adaNamed, current: false, ...common },
    ]);
  });

  it('is an empty list before the first transcript', async () => {
    const { id } = await created(ada, { media: 'none' });
    expect(await list(id)).toEqual([]);
    expect((await restore(id, 1)).status).toBe(404);
  });

  it('restores text, speakers, language, duration and what search finds, as a new revision', async () => {
    const id = await meeting(said(ROWS, (row) => (row === 45 ? 'The marmoset' : `Word ${row}`)));
    const first = await content(id);
    await put(
      id,
      said(3, () => 'Das Wort'),
      'de',
    );
    expect([await found('marmoset'), (await content(id)) as object]).toMatchObject([
      [],
      { language: 'de', duration: 3 },
    ]);
    const restored = await restore(id, 1);
    expect([restored.status, restored.headers.get('etag')]).toEqual([201, '"3"']);
    expect(restored.body.data).toEqual({
      revision: 3,
      createdAt: expect.any(String),
      cause: 'restore',
      createdBy: { id: adaUser.id, name: 'Ada' },
      segmentsCount: ROWS,
      language: 'en',
      current: true,
    });
    expect(await content(id)).toEqual(first);
    expect(await found('marmoset')).toEqual([id]);
    expect((await ada.get(`/recordings/${id}`)).body.data.transcription).toMatchObject({
      status: 'completed',
      language: 'en',
      speakers: ['Ada'],
      segmentsCount: ROWS,
      duration: ROWS,
    });
    await restore(id, 2);
    expect(await content(id)).toMatchObject({ language: 'de', segments: { length: 3 } });
  });

  it('have the statistics of their speakers, but those that release 1.0.0 writes', async () => {
    const statistics = async () =>
      (await ada.get(`/recordings/${id}`)).body.data.transcription.speakerStatistics;
    const id = await meeting();
    await put(id, said(3));
    expect(await statistics()).toMatchObject([{ speaker: 'Ada', talkTime: 3, longestMonologue: 3 }]);
    await restore(id, 1);
    expect(await statistics()).toMatchObject([{ speaker: 'Ada', talkTime: ROWS, longestMonologue: ROWS }]);
    // As its corrections do.
    await service.dataSource.query(
      'UPDATE transcripts SET revision = revision + 1, generated = false WHERE recording_id = $1',
      [id],
    );
    expect(await statistics()).toBeNull();
    await correct(id, 3, 'Is it?');
    expect(await statistics()).toMatchObject([{ talkTime: ROWS, questions: 1 }]);
  });

  it('every one of the ten can be restored, whatever came after it', async () => {
    const id = await meeting();
    const changes = [
      () => correct(id, 0, 'Zero'),
      () => rename(id, 'Ada', 'Grace'),
      () => correct(id, 49, 'Last'),
      () => put(id, said(21)),
      () => correct(id, 20, 'Twentieth'),
      () =>
        put(
          id,
          said(ROWS, (row) => `Other ${row}`),
        ),
      () => correct(id, 20, 'Again'),
      () => rename(id, 'Ada', 'Linus'),
      () => put(id, said(1)),
    ];
    const contents = [await content(id)];
    for (const change of changes) {
      expect((await change()).status).toBe(200);
      contents.push(await content(id));
    }
    expect(await numbers(id)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    // Each restore makes the then oldest go.
    for (let revision = 1; revision <= 10; revision += 1) {
      expect((await restore(id, revision)).body.data).toMatchObject({ revision: 10 + revision });
      expect(await content(id)).toEqual(contents[revision - 1]);
    }
  });

  it('the eleventh goes, with the chunks that no other has', async () => {
    const id = await meeting();
    for (let count = 1; count < 10; count += 1) await correct(id, 0, `Correction ${count}`);
    expect(await numbers(id)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(await keptChunks(id)).toHaveLength(9);
    await correct(id, 30, 'Tenth');
    expect(await numbers(id)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
    expect(await keptChunks(id)).toEqual([
      ...[3, 4, 5, 6, 7, 8, 9, 10].map((by) => ({ by, chunk: 0 })),
      { by: 11, chunk: 1 },
    ]);
    expect((await restore(id, 1)).body).toEqual(
      refusal('TRANSCRIPT_REVISION_NOT_FOUND', 'The transcript has no such revision. The last 10 are kept.'),
    );
  });

  it('keeps only what changes, also when the same transcript is sent again', async () => {
    const id = await meeting();
    await put(id, said(ROWS));
    await put(
      id,
      said(ROWS, (row) => (row === 21 ? 'Edited' : `Word ${row}`)),
    );
    expect(await keptChunks(id)).toEqual([{ by: 3, chunk: 1 }]);
    expect(await numbers(id)).toEqual([3, 2, 1]);
  });

  it('honours If-Match', async () => {
    const id = await meeting();
    await correct(id, 0, 'Zero');
    expect((await restore(id, 1, '"1"')).body).toEqual(
      refusal(
        'PRECONDITION_FAILED',
        'If-Match: the current revision is 2; read the resource again and retry the change.',
      ),
    );
    expect((await restore(id, 1, '"2"')).status).toBe(201);
  });

  it.each(['9', 'first', '1%00'])('has no revision %s', async (revision) => {
    const id = await meeting(said(1));
    const { status, body } = await restore(id, revision);
    expect([status, body.error.code]).toEqual([404, 'TRANSCRIPT_REVISION_NOT_FOUND']);
    expect(await numbers(id)).toEqual([1]);
  });

  it('a transcription that is running is dropped by a restore, and its failure changes nothing', async () => {
    const owned = recording('Ada', { transcript: transcript(3), media: 'film.mp4' });
    await service.import({ recordings: [owned] }, { 'film.mp4': 'film' });
    await correct(owned.id, 0, 'Zero');
    expect((await ada.post(`/recordings/${owned.id}/transcription`)).status).toBe(202);
    expect((await ada.get(`/recordings/${owned.id}/transcript`)).body.data.status).toBe('processing');
    // The status is a change too: numbers have gaps.
    expect((await restore(owned.id, 1, '"3"')).body.data.revision).toBe(4);
    expect(await numbers(owned.id)).toEqual([4, 2, 1]);
    expect(await content(owned.id)).toMatchObject({
      status: 'completed',
      segments: [{ text: 'Sentence 0' }, { text: 'Sentence 1' }, { text: 'Sentence 2' }],
    });
    const [row] = await service.dataSource.query(
      'SELECT attempt_id, generated FROM transcripts WHERE recording_id = $1',
      [owned.id],
    );
    expect(row).toEqual({ attempt_id: null, generated: false });
  });

  it('concurrent restores, corrections and imports are serialized, and all revisions stay whole', async () => {
    const id = await meeting();
    await correct(id, 0, 'Zero');
    const results = await Promise.all([
      restore(id, 1),
      restore(id, 2),
      correct(id, 25, 'Beside', edith),
      put(id, said(30), 'en', edith),
      restore(id, 1, undefined, edith),
    ]);
    expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201, 201, 201]);
    expect(await numbers(id)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    await restore(id, 1);
    expect(await content(id)).toMatchObject({ segments: said(ROWS) });
    await restore(id, 2);
    expect(await content(id)).toMatchObject({
      segments: said(ROWS, (row) => (row === 0 ? 'Zero' : `Word ${row}`)),
    });
  });

  it('go with the recording, and stay without their author', async () => {
    const id = await meeting();
    await correct(id, 0, 'Zero', edith);
    await service.dataSource.query('DELETE FROM users WHERE id = $1', [edithUser.id]);
    expect(await list(id)).toMatchObject([{ createdBy: null }, { createdBy: { name: 'Ada' } }]);
    expect((await ada.delete(`/recordings/${id}`)).status).toBe(200);
    const [{ count }] = await service.dataSource.query(
      `SELECT (SELECT count(*) FROM transcript_revisions WHERE recording_id = $1)
            + (SELECT count(*) FROM superseded_transcript_chunks WHERE recording_id = $1) AS count`,
      [id],
    );
    expect(count).toBe('0');
  });
});
