import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const ZOOM = `WEBVTT

1
00:00:01.000 --> 00:00:02.500
Ada Byron: Good morning, everyone, shall we begin with the budget?

2
00:00:03.000 --> 00:01:04.250
Grace: Yes: the budget first.
`;
const ZOOM_SEGMENTS = [
  {
    id: 0,
    start: 1,
    end: 2.5,
    text: 'Good morning, everyone, shall we begin with the budget?',
    speaker: 'Ada Byron',
    confidence: 1,
  },
  { id: 1, start: 3, end: 64.25, text: 'Yes: the budget first.', speaker: 'Grace', confidence: 1 },
];
const SRT =
  '1\r\n00:00:01,000 --> 00:00:02,500\r\nAda: Hi\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nGrace: Bye\r\n';
const BROKEN = `WEBVTT

00:00:01.000 --> 00:00:02.000
<v Ada>One

00:00:05.000 --> 00:00:03.000
<v Ada>Two

00:00:06.000 --> 00:00:07.000
<v Grace>Three
`;

describe('PUT /recordings/:id/transcript', () => {
  let service: TestService;
  let ada: Client;
  let subject: { id: string };

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    subject = recording('Ada');
    await service.import({ recordings: [subject] });
  });

  const put = (body: unknown, type = 'application/octet-stream', query = '', headers = {}): Promise<Reply> =>
    ada.request('PUT', `/recordings/${subject.id}/transcript${query}`, {
      body: typeof body === 'string' ? Buffer.from(body) : body,
      headers: { 'content-type': type, ...headers },
    });
  const read = async (query = '') =>
    (await ada.get(`/recordings/${subject.id}/transcript${query}`)).body.data;

  it('accepts a WebVTT file as exported by Zoom and reports what was imported', async () => {
    const { status, headers, body } = await put(ZOOM, 'text/vtt');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        status: 'completed',
        revision: 1,
        language: 'en',
        speakers: ['Ada Byron', 'Grace'],
        segmentsCount: 2,
        duration: 64.25,
        skippedCount: 0,
        skipped: [],
      },
    });
    expect(headers.get('etag')).toBe('"1"');
    expect((await read()).segments).toEqual(ZOOM_SEGMENTS);
    const detail = await ada.get(`/recordings/${subject.id}`);
    expect(detail.body.data.transcription).toMatchObject({ status: 'completed', segmentsCount: 2 });
    expect(detail.body.data.capabilities).toMatchObject({ canRenameSpeaker: true, canGenerateSummary: true });
  });

  it.each([
    ['WebVTT as text', ZOOM, 'text/plain', 2],
    ['SRT', SRT, 'application/x-subrip', 2],
    ['UTF-16', Buffer.from(`\ufeff${ZOOM}`, 'utf16le'), 'text/vtt', 2],
  ])('accepts %s', async (_, body, type, count) => {
    const { status, body: taken } = await put(body, type);
    expect(status).toBe(200);
    expect(taken.data.segmentsCount).toBe(count);
    expect((await read()).segments).toHaveLength(count);
  });

  it('prefers the language of the query over that of the file, over that of the text', async () => {
    const german = JSON.stringify({ language: 'de', segments: [{ start: 0, end: 1, text: 'Hallo' }] });
    expect((await put(german, 'application/json', '?language=de-AT')).body.data.language).toBe('de-AT');
    expect((await put(german, 'application/json')).body.data.language).toBe('de');
    expect((await put(german, 'application/json', '?language=auto')).body.data.language).toBe('de');
    expect((await put(german, 'application/json', '?language=Swedish')).body.data.language).toBe('sv');
    const french =
      'Bonjour à tous, nous commençons par le budget de cette année, et ensuite nous parlerons de la feuille de route.';
    const untold = JSON.stringify({ segments: [{ start: 0, end: 1, text: french }] });
    expect((await put(untold, 'application/json')).body.data.language).toBe('fr');
    const short = JSON.stringify({ segments: [{ start: 0, end: 1, text: 'Ok' }] });
    expect((await put(short, 'application/json')).body.data.language).toBeNull();
  });

  it('replaces the existing transcript and increments the revision', async () => {
    await put(ZOOM, 'text/vtt');
    const { body } = await put(SRT, 'application/x-subrip');
    expect(body.data).toMatchObject({
      revision: 2,
      speakers: ['Ada', 'Grace'],
      segmentsCount: 2,
      duration: 4,
    });
    expect(await read()).toMatchObject({ revision: 2, segments: [{ text: 'Hi' }, { text: 'Bye' }] });
  });

  it('rejects a partly malformed file, naming the line, and keeps the existing transcript', async () => {
    await put(ZOOM, 'text/vtt');
    const { status, body } = await put(BROKEN, 'text/vtt');
    expect(status).toBe(400);
    expect(body).toEqual(refusal('VALIDATION_ERROR', expect.stringMatching(/^body: line 6: .*before/)));
    expect((await read()).segments).toEqual(ZOOM_SEGMENTS);
  });

  it('imports what is readable when lenient, and lists what was skipped', async () => {
    const { status, body } = await put(BROKEN, 'text/vtt', '?lenient=true');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ segmentsCount: 2, speakers: ['Ada', 'Grace'], skippedCount: 1 });
    expect(body.data.skipped).toEqual([{ place: 'line 6', reason: expect.stringContaining('before') }]);
    expect((await read()).segments.map(({ text }: { text: string }) => text)).toEqual(['One', 'Three']);
  });

  it.each([
    ['nothing', '', 'text/vtt', 400, 'VALIDATION_ERROR'],
    ['bytes', Buffer.from([0, 1, 2, 255]), undefined, 400, 'VALIDATION_ERROR'],
    ['more than 20 MiB', `WEBVTT\n\n${'x'.repeat(20 * 1024 * 1024)}`, 'text/vtt', 413, 'PAYLOAD_TOO_LARGE'],
  ])('rejects %s', async (_, body, type, status, code) => {
    const reply = await put(body, type);
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual(refusal(code));
    expect(await read()).toMatchObject({ status: 'not_started', revision: 0, segments: [] });
  });

  it('rejects a stale If-Match and accepts the current one', async () => {
    expect((await put(ZOOM, 'text/vtt', '', { 'if-match': '"1"' })).status).toBe(412);
    await put(ZOOM, 'text/vtt');
    const stale = await put(SRT, undefined, '', { 'if-match': '"7"' });
    expect(stale.status).toBe(412);
    expect(stale.body).toEqual(
      refusal('PRECONDITION_FAILED', expect.stringContaining('the current revision is 1')),
    );
    expect((await put(SRT, undefined, '', { 'if-match': '"1"' })).body.data.revision).toBe(2);
  });

  it('accepts concurrent imports and keeps exactly one of them', async () => {
    const replies = await Promise.all([put(ZOOM, 'text/vtt'), put(SRT), put(ZOOM, 'text/vtt'), put(SRT)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const texts = (await read()).segments.map(({ text }: { text: string }) => text);
    expect([['Hi', 'Bye'], ZOOM_SEGMENTS.map(({ text }) => text)]).toContainEqual(texts);
    expect((await read()).revision).toBe(4);
  });

  it('stores hostile text unchanged', async () => {
    const text = `<script>alert(1)</script> & "quotes" '; DROP TABLE users; -- \u202e --> ${'🦊'.repeat(50)}`;
    await put(JSON.stringify({ segments: [{ start: 0, end: 1, text, speaker: '<b>Eve</b>' }] }));
    expect((await read()).segments).toEqual([
      { id: 0, start: 0, end: 1, text, speaker: '<b>Eve</b>', confidence: 1 },
    ]);
  });

  it('keeps times within the media: whole hours before it are taken off, and what begins after it is named', async () => {
    await service.dataSource.query('UPDATE recordings SET duration = 9 WHERE id = $1', [subject.id]);
    const hour = SRT.replaceAll('00:00:0', '01:00:0');
    const reply = await put(hour.replace('01:00:04', '01:00:12'), 'application/x-subrip');
    expect([reply.status, reply.body.data.duration]).toEqual([200, 9]);
    const { data } = (await ada.get(`/recordings/${subject.id}/transcript`)).body;
    expect(data.segments.map(({ start, end }: { start: number; end: number }) => [start, end])).toEqual([
      [1, 2.5],
      [3, 9],
    ]);

    const beyond = SRT.replaceAll('00:00:0', '00:10:0');
    const reason = 'begins at 00:10:01, after the end of the recording, which is 00:00:09 long';
    expect((await put(beyond)).body).toEqual(refusal('VALIDATION_ERROR', `body: segment 1: ${reason}`));
    const mixed = await put(
      `${SRT}3\r\n00:10:01,000 --> 00:10:02,000\r\nAda: Late\r\n`,
      'text/plain',
      '?lenient=true',
    );
    expect(mixed.body.data).toMatchObject({
      segmentsCount: 2,
      skippedCount: 1,
      skipped: [{ place: 'segment 3', reason }],
    });
  });
});
