import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, transcript, user } from '../../factories/workspace.js';
import { rawRequest, refusal, sendRaw, type Client, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const HOSTILE = '<b>"tudo"</b> & a --> b';

describe('GET /recordings/:id/transcript as a file', () => {
  let service: TestService;
  let ada: Client;
  const meeting = recording('Ada', {
    title: 'Budget / "2026"',
    transcript: {
      language: 'en',
      segments: [
        { start: 1.25, end: 9.75, speaker: 'Grace', text: HOSTILE },
        { start: 3_661.5, end: 3_662, speaker: '', text: 'Nobody knows who', confidence: 0.5 },
      ],
    },
  });
  const long = recording('Ada', { transcript: transcript(5_030) });
  const none = recording('Ada');
  const locked = recording('Linus', { createdAt: '2020-01-01T00:00:00Z', transcript: transcript(1) });

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [user('Ada'), user('Linus', { plan: 'FREE' })],
      recordings: [meeting, long, none, locked],
    });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const get = (of: { id: string }, query: string, accept?: string): Promise<Reply> =>
    ada.get(`/recordings/${of.id}/transcript${query}`, { headers: accept ? { accept } : {} });

  it('exports WebVTT with voice tags', async () => {
    const { status, headers, body } = await get(meeting, '?format=vtt');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/vtt; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="Budget 2026.vtt"');
    expect(body).toMatch(/^WEBVTT/);
    expect(body).toContain(
      '00:00:01.250 --> 00:00:09.750\n<v Grace>&lt;b&gt;"tudo"&lt;/b&gt; &amp; a --&gt; b',
    );
    expect(body).toContain('01:01:01.500 --> 01:01:02.000\nNobody knows who');
  });

  it('exports JSON identical to a page with all segments', async () => {
    const { headers, body } = await get(meeting, '?format=json');
    expect(headers.get('content-disposition')).toBe('attachment; filename="Budget 2026.json"');
    expect(body).toEqual((await get(meeting, '')).body);
    const whole = (await get(long, '?format=json')).body.data;
    expect(whole.segments).toHaveLength(5_030);
    expect(whole.pagination).toEqual({ total_chunks: 252, has_more: false });
  });

  it.each([
    ['text/vtt', 'text/vtt'],
    ['application/x-subrip', 'application/x-subrip'],
    ['text/markdown, text/plain;q=0.5', 'text/markdown'],
    ['*/*', 'application/json'],
  ])('Accept: %s returns %s', async (accept, type) => {
    const { status, headers } = await get(meeting, '', accept);
    expect(status).toBe(200);
    expect(headers.get('content-type')?.split(';')[0]).toBe(type);
  });

  it('returns a page when limit is given, whatever the Accept header', async () => {
    const { body } = await get(meeting, '?limit=1', 'text/vtt');
    expect(body.data.segments).toHaveLength(2);
  });

  it('returns the file when the page parameters are the prefilled defaults', async () => {
    const { headers } = await get(meeting, '?start_chunk=0&limit=50&format=vtt');
    expect(headers.get('content-type')).toMatch('text/vtt');
  });

  it('includes every segment of a long meeting, in order', async () => {
    const { body } = await get(long, '?format=srt');
    const numbers = [...body.matchAll(/Sentence (\d+)/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 5_030 }, (_, index) => index));
  });

  it('returns 409 before the transcription has completed', async () => {
    const { status, body } = await get(none, '?format=vtt');
    expect(status).toBe(409);
    const message = `The recording has not been transcribed yet. A download needs a transcript; POST /api/v1/recordings/${none.id}/transcription starts one once the media can be played, PUT .../transcript imports one.`;
    expect(body).toEqual(refusal('CONFLICT', message));
  });

  it('is rejected under the same rules as the page', async () => {
    const reply = await service.api.as(keyOf('Linus')).get(`/recordings/${locked.id}/transcript?format=vtt`);
    expect(reply.body).toEqual(refusal('RECORDING_LOCKED'));
    const hidden = await service.api
      .as(keyOf('Linus'))
      .get(`/recordings/${meeting.id}/transcript?format=vtt`);
    expect(hidden.body).toEqual(refusal('RECORDING_NOT_FOUND'));
  });

  it.each([
    ['format', '?format=docx'],
    ['format', '?format=vtt&limit=5'],
    ['format', '?format=vtt&start_chunk=1'],
  ])('rejects and names %s in %s', async (name, query) => {
    const { status, body } = await get(meeting, query);
    expect(status).toBe(400);
    expect(body).toEqual(refusal('VALIDATION_ERROR', expect.stringContaining(name)));
  });

  it('returns 304 to a client with a current copy of the page, and a new ETag after a change', async () => {
    const etag = (await get(meeting, '')).headers.get('etag')!;
    // `fetch` would send `Cache-Control: no-cache` with If-None-Match.
    const path = `/api/v1/recordings/${meeting.id}/transcript`;
    const request = rawRequest('GET', path, { key: keyOf('Ada'), headers: { 'If-None-Match': etag } });
    expect(await sendRaw(service.api.base, request)).toMatchObject({ status: 304, body: '' });
    await ada.patch(`/recordings/${meeting.id}/transcript/segments/1`, { text: 'Somebody knows' });
    const { headers } = await get(meeting, '');
    expect(headers.get('etag')).not.toBe(etag);
  });
});
