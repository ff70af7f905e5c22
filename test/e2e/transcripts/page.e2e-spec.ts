import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, member, organization, recording, transcript, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

describe('GET /recordings/:id/transcript', () => {
  let service: TestService;
  let ada: Client;
  const bySegments = Object.fromEntries(
    [0, 1, 19, 20, 21, 45, 1_020, 2_020].map((count) => [
      count,
      recording('Ada', { transcript: transcript(count) }),
    ]),
  );
  const none = recording('Ada');
  const mixed = recording('Ada', {
    transcript: {
      language: 'pt-BR',
      segments: [
        { start: 1.25, end: 9.75, speaker: 'Grace', text: 'Olá <b>"tudo"</b> 😀', confidence: 0.5 },
        { start: 2, end: 3, speaker: 'Ada', text: 'Sim', confidence: 0 },
        { start: 4, end: 5, text: 'Ninguém sabe quem' },
        { start: 6, end: 7.5, speaker: 'Grace', text: 'Fim', confidence: 1 },
      ],
    },
  });
  const muted = organization('Mute', { members: [member('Ada', 'OWNER', { transcription: false })] });
  const silent = organization('Silent', {
    members: [member('Ada', 'OWNER')],
    features: { transcription: false },
  });
  const gone = organization('Gone', {
    members: [member('Ada', 'OWNER')],
    subscription: { status: 'expired', endsAt: null },
  });
  const old = recording('Linus', { createdAt: '2020-01-01T00:00:00Z', transcript: transcript(1) });
  const inMute = recording('Ada', { organization: 'Mute', transcript: transcript(1) });
  const inSilent = recording('Ada', { organization: 'Silent', transcript: transcript(1) });
  const inGone = recording('Ada', { organization: 'Gone', transcript: transcript(1) });

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [user('Ada'), user('Linus', { plan: 'FREE' })],
      organizations: [muted, silent, gone],
      recordings: [...Object.values(bySegments), none, mixed, old, inMute, inSilent, inGone],
    });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const page = (of: { id: string } | undefined, query = '', api = ada): Promise<Reply> =>
    api.get(`/recordings/${of?.id}/transcript${query}`);

  it('returns exactly the documented fields of a page and its segments', async () => {
    const { status, body } = await page(mixed);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        status: 'completed',
        statusReason: null,
        revision: 1,
        language: 'pt-BR',
        confidenceKnown: true,
        speakers: ['Grace', 'Ada'],
        duration: 9.75,
        segments: [
          { id: 0, start: 1.25, end: 9.75, text: 'Olá <b>"tudo"</b> 😀', speaker: 'Grace', confidence: 0.5 },
          { id: 1, start: 2, end: 3, text: 'Sim', speaker: 'Ada', confidence: 0 },
          { id: 2, start: 4, end: 5, text: 'Ninguém sabe quem', speaker: '', confidence: 1 },
          { id: 3, start: 6, end: 7.5, text: 'Fim', speaker: 'Grace', confidence: 1 },
        ],
        pagination: { total_chunks: 1, has_more: false },
      },
    });
  });

  it('says that no speech was found if a transcription has no segments', async () => {
    await service.dataSource.query(
      `INSERT INTO transcripts (recording_id, status, speakers, segments_count, duration, generated)
       VALUES ($1, 'completed', '{}', 0, 0, true)`,
      [none.id],
    );
    const { body } = await page(none);
    expect(body.data).toMatchObject({ status: 'completed', segments: [] });
    expect(body.data.statusReason).toBe('No speech was found in the audio.');
    await service.dataSource.query('DELETE FROM transcripts WHERE recording_id = $1', [none.id]);
  });

  it('returns not_started without segments for a recording that is not transcribed', async () => {
    const { status, body } = await page(none);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        status: 'not_started',
        statusReason: null,
        revision: 0,
        language: null,
        confidenceKnown: false,
        speakers: [],
        duration: 0,
        segments: [],
        pagination: { total_chunks: 0, has_more: false },
      },
    });
  });

  it.each([
    // segments, query, segment ids, total chunks, has more
    [0, '', [0, 0], 0, false],
    [1, '', [0, 1], 1, false],
    [20, '', [0, 20], 1, false],
    [21, '?limit=1', [0, 20], 2, true],
    [21, '?start_chunk=1', [20, 21], 2, false],
    [45, '', [0, 45], 3, false],
    [45, '?limit=2', [0, 40], 3, true],
    [45, '?start_chunk=1&limit=1', [20, 40], 3, true],
    [45, '?start_chunk=2&limit=100', [40, 45], 3, false],
    [45, '?start_chunk=2147483648', [0, 0], 3, false],
    [45, '?start_chunk=9007199254740991&limit=100', [0, 0], 3, false],
    [1_020, '', [0, 1_000], 51, true],
    [2_020, '?limit=100', [0, 2_000], 101, true],
  ] as [number, string, [number, number], number, boolean][])(
    'pages in chunks of 20 segments: %d segments, %s',
    async (count, query, [from, to], totalChunks, hasMore) => {
      const { status, body } = await page(bySegments[count], query);
      expect(status).toBe(200);
      expect(body.data.segments.map((segment: { id: number }) => segment.id)).toEqual(numbers(from, to));
      expect(body.data.pagination).toEqual({ total_chunks: totalChunks, has_more: hasMore });
      expect(body.data.status).toBe('completed');
    },
  );

  it('returns every segment once and in order when read chunk by chunk', async () => {
    const texts: string[] = [];
    for (let chunk = 0, more = true; more; chunk += 1) {
      const { body } = await page(bySegments[45], `?start_chunk=${chunk}&limit=1`);
      texts.push(...body.data.segments.map((segment: { text: string }) => segment.text));
      more = body.data.pagination.has_more;
    }
    expect(texts).toEqual(numbers(0, 45).map((number) => `Sentence ${number}`));
  });

  it('returns speakers, duration and language of the whole transcript on every page', async () => {
    const { body } = await page(bySegments[45], '?start_chunk=2');
    expect(body.data).toMatchObject({ language: 'en', speakers: ['Ada', 'Grace'], duration: 89.5 });
  });

  it.each([
    ...['0', '101', '-1', '1.5', '', 'all', '1e1'].map((value) => ['limit', `limit=${value}`]),
    ...['-1', '0.5', '', 'x', '%20'].map((value) => ['start_chunk', `start_chunk=${value}`]),
    ['limit', 'limit=1&limit=2'],
    ['start_chunk', 'start_chunk=0&start_chunk=0'],
    ['offset', 'offset=1'],
    ['startChunk', 'startChunk=1'],
  ])('rejects and names %s in ?%s', async (name, query) => {
    const { status, body } = await page(bySegments[45], `?${query}`);
    expect(status).toBe(400);
    expect(body).toEqual(refusal('VALIDATION_ERROR', expect.stringContaining(name)));
  });

  it.each([
    ['a locked recording', old, 'Linus', 403, 'RECORDING_LOCKED'],
    ['transcription disabled for the member', inMute, 'Ada', 403, 'TRANSCRIPT_NOT_AVAILABLE'],
    ['transcription disabled for the organization', inSilent, 'Ada', 403, 'TRANSCRIPT_NOT_AVAILABLE'],
    ['an expired Enterprise subscription', inGone, 'Ada', 402, 'ORGANIZATION_SUBSCRIPTION_EXPIRED'],
    ["another user's recording", none, 'Linus', 404, 'RECORDING_NOT_FOUND'],
    ['an unknown id', { id: id() }, 'Ada', 404, 'RECORDING_NOT_FOUND'],
    ['an id that is not a UUID', { id: '7' }, 'Ada', 404, 'RECORDING_NOT_FOUND'],
  ])('rejects %s', async (_, of, name, status, code) => {
    const reply = await page(of, '', service.api.as(keyOf(name)));
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual(refusal(code));
  });
});
