import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ForbiddenError,
  MeetingRecordings,
  PreconditionFailedError,
  RecordingNotFoundError,
  TimeoutError,
  ValidationError,
  type Progress,
} from 'meeting-recording-client';
import { keyOf, recording, transcript, user } from '../../factories/workspace.js';
import { startService, type TestService } from '../../support/service.js';
import { sha256 } from '../../support/objects.js';
import { demoVideo, fakeVideo, MIB, RawTus, storedSha256 } from '../../support/uploads.js';

const video = demoVideo();
const VTT =
  'WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ada>We ship on Friday\n\n00:02.000 --> 00:04.000\n<v Bob>Good\n';
/** More than one page, of whatever size. */
const MANY = 130;

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of list) found.push(one);
  return found;
}

describe('the client', () => {
  let service: TestService;
  let api: MeetingRecordings;
  const clientOf = (name: string): MeetingRecordings =>
    new MeetingRecordings({ baseUrl: service.api.base, apiKey: keyOf(name) });
  const long = recording('Ada', { title: 'Long', transcript: transcript(MANY) });

  beforeAll(async () => {
    service = await startService();
    const many = Array.from({ length: MANY }, (_, n) => recording('Bob', { title: `Budget ${n}` }));
    await service.import({ users: [user('Ada'), user('Bob')], recordings: [long, ...many] });
    api = clientOf('Ada');
  });
  afterAll(() => service.stop());

  const words = async (): Promise<string> =>
    (await api.post('/recordings', { body: { title: 'Words', media: 'none' } })).id;

  it('uploads a file', async () => {
    const seen: Progress[] = [];
    const file = new File([video], 'walk.mp4');
    const uploaded = await api.upload(file, { onProgress: (progress) => seen.push(progress) });
    expect(uploaded).toMatchObject({ title: 'walk.mp4', status: 'PROCESSING' });
    expect(seen).toEqual([{ sent: video.length, total: video.length }]);
    expect(await storedSha256(service, uploaded.id)).toBe(sha256(video));
  });

  it('uploads a stream of unknown length, larger than what it sends at once', async () => {
    const content = fakeVideo(3 * MIB);
    const chunks = async function* () {
      for (let at = 0; at < content.length; at += 100_000) yield content.subarray(at, at + 100_000);
    };
    const seen: unknown[] = [];
    const { id } = await api.upload(chunks(), {
      title: 'Stream',
      onProgress: (progress) => seen.push(progress),
    });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toEqual({ sent: content.length, total: null });
    expect(await storedSha256(service, id)).toBe(sha256(content));
  });

  it('adds media to a recording that has none', async () => {
    const id = await words();
    await expect(api.waitFor(id, 'playable')).rejects.toThrow('The recording has no media');
    expect(await api.upload(video, { recording: id })).toMatchObject({
      id,
      newMedia: { status: 'processing' },
    });
    await expect(api.waitFor(id, 'playable', { timeout: 50 })).rejects.toThrow(TimeoutError);
  });

  it('continues an upload that another program began, and is content if there is nothing left to do', async () => {
    const begun = await api.post('/recordings', { body: { title: 'Begun', size: video.length } });
    await new RawTus(service.api.as(keyOf('Ada')), begun.id).patch(0, video.subarray(0, 10_000));
    const resume = { id: begun.id, upload_url: String(begun.upload_url) };
    const stream = new Blob([video]).stream();
    const seen: number[] = [];
    const onProgress = ({ sent }: Progress): unknown => seen.push(sent);
    await api.upload(stream, { resume, size: video.length, onProgress });
    expect(seen).toEqual([video.length]);
    expect(await storedSha256(service, begun.id)).toBe(sha256(video));
    expect((await api.upload(video, { resume })).id).toBe(begun.id);
  });

  it('says why a file cannot be used', async () => {
    await expect(api.upload(Buffer.alloc(6_000, 'text '), { title: 'Text' })).rejects.toMatchObject({
      name: 'UnsupportedMediaTypeError',
      status: 415,
    });
  });

  it('imports a transcript, for which somebody else waits, and reads it as text', async () => {
    const id = await words();
    await expect(api.waitFor(id, 'transcript')).rejects.toThrow('none is being made');
    const options = { path: { id }, body: VTT, contentType: 'text/vtt' } as const;
    expect(await api.put('/recordings/{id}/transcript', options)).toMatchObject({ segmentsCount: 2 });
    expect(await api.waitFor(id, 'transcript')).toMatchObject({
      transcription: { speakers: ['Ada', 'Bob'] },
    });
    const query = { format: 'vtt' } as const;
    expect(await api.text('/recordings/{id}/transcript', { path: { id }, query })).toContain(
      '<v Ada>We ship',
    );
    await expect(api.get('/recordings/{id}/transcript', { path: { id }, query })).rejects.toThrow(
      'text() reads it',
    );
  });

  it('lists everything: by cursor, by offset, by chunk, and what has no pages', async () => {
    const bob = clientOf('Bob');
    expect(await all(bob.list('/recordings', { query: { status: ['ERROR', 'COMPLETED'] } }))).toHaveLength(
      MANY,
    );
    expect(await all(bob.list('/recordings', { query: { status: ['ERROR'] } }))).toEqual([]);
    const titles = (await all(bob.list('/recordings', { query: { limit: 7 } }))).map(({ title }) => title);
    expect(new Set(titles).size).toBe(MANY);
    const found = await all(bob.list('/recordings/search', { query: { q: 'budget' } }));
    expect(new Set(found.map(({ id }) => id)).size).toBe(MANY);
    const segments = await all(api.list('/recordings/{id}/transcript', { path: { id: long.id } }));
    expect(segments.map(({ text }) => text)).toEqual(Array.from({ length: MANY }, (_, n) => `Sentence ${n}`));
    expect(await all(bob.list('/api-keys'))).toHaveLength(1);
    const { pagination } = await bob.page('/recordings', { query: { limit: 1 } });
    expect(pagination.total).toBe(MANY);

    const link = await api.post('/recordings/{id}/share-link', { path: { id: long.id } });
    const visitor = new MeetingRecordings({ baseUrl: service.api.base, apiKey: null });
    const shared = await all(visitor.list('/shares/{token}', { path: { token: link.share_token } }));
    expect(shared).toHaveLength(MANY);
  });

  it('stops requesting pages when the loop ends', async () => {
    let requests = 0;
    const counting = new MeetingRecordings({
      baseUrl: service.api.base,
      apiKey: keyOf('Bob'),
      fetch: (request) => ((requests += 1), fetch(request)),
    });
    for await (const _ of counting.list('/recordings')) break;
    expect(requests).toBe(1);
  });

  it('rejects with the class of each error', async () => {
    const nowhere = api.get('/recordings/{id}', { path: { id: '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90' } });
    await expect(nowhere).rejects.toThrow(RecordingNotFoundError);
    await expect(nowhere).rejects.toMatchObject({
      name: 'RecordingNotFoundError',
      code: 'RECORDING_NOT_FOUND',
      status: 404,
      requestId: expect.stringMatching(/.{10}/),
      retryAfter: null,
    });
    await expect(api.post('/recordings', { body: { title: '' } })).rejects.toThrow(ValidationError);
    await expect(api.list('/users').next()).rejects.toThrow(ForbiddenError);
    const id = await words();
    const { revision } = await api.get('/recordings/{id}', { path: { id } });
    const change = { path: { id }, body: { title: 'Changed' }, revision } as const;
    await api.patch('/recordings/{id}', change);
    await expect(api.patch('/recordings/{id}', change)).rejects.toThrow(PreconditionFailedError);
    expect(await api.delete('/recordings/{id}', { path: { id } })).toEqual({ success: true });
  });

  it('gives up waiting in time, or when asked to', async () => {
    const { id } = await api.post('/recordings', { body: { title: 'Empty' } });
    await expect(api.waitFor(id, 'playable', { timeout: 50 })).rejects.toThrow(TimeoutError);
    const signal = AbortSignal.timeout(50);
    await expect(api.waitFor(id, 'playable', { signal })).rejects.toThrow('due to timeout');
  });

  it('waits with a key that may not see events', async () => {
    const { id } = await api.post('/recordings', { body: { title: 'Words', media: 'none' } });
    const { key } = await api.post('/api-keys', { body: { name: 'reader', scopes: ['recordings:read'] } });
    const reader = new MeetingRecordings({ baseUrl: service.api.base, apiKey: key });
    await expect(reader.waitFor(id, 'summary')).rejects.toThrow('none is being made');
  });
});
