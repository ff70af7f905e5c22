import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keyOf, recording, summary, transcript, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { openapi } from '../../support/contract.js';
import { startService, type TestService } from '../../support/service.js';
import { created, demoVideo, RawTus } from '../../support/uploads.js';

const PUTS = Object.entries(openapi.paths)
  .filter(([, operations]) => 'put' in operations)
  .map(([path]) => path);
const video = demoVideo();

let service: TestService;
let ada: Client;
const meeting = recording('Ada', { transcript: transcript(3), summary });

beforeAll(async () => {
  service = await startService();
  await service.import({ users: [user('Ada')], recordings: [meeting] });
  ada = service.api.as(keyOf('Ada'));
});
afterAll(() => service.stop());

const put = (path: string, range: string, body: Uint8Array = video) =>
  ada.request('PUT', path, { body, headers: { 'content-range': range } });
const MESSAGE =
  'Content-Range: a PUT replaces the whole resource, and parts of it are not taken; send the whole file, or upload media in parts by tus, with PATCH to the upload_url of the recording';

it.each(PUTS)('PUT %s of a part of a file is refused with 400, naming tus', async (template) => {
  const path = template.replace('/api/v1', '').replace('{id}', meeting.id);
  const { status, body } = await put(path, 'bytes 0-99/1000');
  expect([status, body]).toEqual([400, refusal('VALIDATION_ERROR', MESSAGE)]);
});

it.each([`bytes 0-99/${video.length}`, 'bytes */*', ''])(
  'a PUT with Content-Range "%s" stores nothing, closes nothing and replaces nothing',
  async (range) => {
    const { id } = await created(ada, { size: video.length });
    const tus = new RawTus(ada, id);
    await tus.patch(0, video.subarray(0, 100));
    expect((await put(`/recordings/${id}/media`, range, video.subarray(0, 100))).status).toBe(400);
    expect(await tus.offset()).toBe(100);
    expect((await ada.get(`/recordings/${id}`)).body.data.status).toBe('UPLOADING');
    const before = (await ada.get(`/recordings/${meeting.id}/transcript`)).body;
    const text = Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n');
    expect((await put(`/recordings/${meeting.id}/transcript`, range, text)).status).toBe(400);
    expect((await ada.get(`/recordings/${meeting.id}/transcript`)).body).toEqual(before);
  },
);

it('the refusal comes after the key has been checked, and an unknown URL stays unknown', async () => {
  const headers = { 'content-range': 'bytes 0-99/1000' };
  const path = `/recordings/${meeting.id}/media`;
  expect((await service.api.request('PUT', path, { headers, body: video })).status).toBe(401);
  expect((await ada.request('PUT', '/nothing', { headers, body: video })).status).toBe(404);
  expect((await ada.request('PUT', '/me', { headers, body: video })).status).toBe(405);
});
