import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { READ_FORMATS } from '../../../src/modules/transcripts/files/transcript-formats.js';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { docxOf, paragraph } from '../../support/docx.js';
import { AWS_TRANSCRIBE, DEEPGRAM, GOOGLE_MEET, TEAMS_NEWER } from '../../support/foreign-transcripts.js';
import { ZOOM } from '../../support/meeting-captions.js';
import { startService, type TestService } from '../../support/service.js';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const LIST = `send ${READ_FORMATS}`;

describe('PUT /recordings/:id/transcript with files of other services', () => {
  let service: TestService;
  let ada: Client;
  let path: string;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    const subject = recording('Ada');
    await service.import({ recordings: [subject] });
    path = `/recordings/${subject.id}/transcript`;
  });

  const put = (body: string | Buffer, type = 'application/octet-stream') =>
    ada.request('PUT', path, { body: Buffer.from(body), headers: { 'content-type': type } });

  it.each([
    ['Deepgram', JSON.stringify(DEEPGRAM), 'application/json', ['Speaker 0'], 5.43012, true],
    ['Amazon Transcribe', JSON.stringify(AWS_TRANSCRIBE), 'text/plain', ['spk_0', 'spk_1'], 9.24, true],
    ['Google Meet', GOOGLE_MEET, 'text/plain', ['Anna Hewitt', 'Garrett McGrath'], 100, false],
    [
      'Microsoft Teams',
      docxOf(TEAMS_NEWER.map((lines) => paragraph(...lines)).join('')),
      DOCX,
      ['Ada Byron', 'Grace Hopper (Guest)'],
      8.8,
      false,
    ],
    [
      'Microsoft Stream',
      'WEBVTT\n\nNOTE Confidence: 0.5\n\n00:01.000 --> 00:02.000\nHi',
      'text/vtt',
      [],
      2,
      true,
    ],
    ['Zoom', ZOOM, 'text/plain', ['Ada Byron', 'Grace'], 6, false],
  ])('imports a file of %s', async (_, body, type, speakers, duration, confidenceKnown) => {
    const reply = await put(body, type);
    expect([reply.status, reply.body.data.speakers, reply.body.data.duration]).toEqual([
      200,
      speakers,
      duration,
    ]);
    const page = (await ada.get(path)).body.data;
    expect(page.confidenceKnown).toBe(confidenceKnown);
    const confidences = page.segments.map(({ confidence }: { confidence: number }) => confidence);
    expect(confidences.every((confidence: number) => confidence === 1)).toBe(!confidenceKnown);
  });

  it.each([
    ['a PDF document', '%PDF-1.7\n', 'application/pdf', 'a PDF document is not read'],
    ['an MP4', '\0\0\0\x18ftypmp42\0\0\0\0mp42isom', undefined, 'a file of type video/mp4 is not read'],
    ['a web page', '<!doctype html><html></html>', 'text/html', 'a web page (HTML) is not read'],
    ['a ZIP archive', 'PK\x03\x04', 'application/zip', 'a damaged ZIP archive is not read'],
    [
      'a letter in Word',
      docxOf(paragraph('Dear Ada,')),
      DOCX,
      'a Word document that is no transcript known to this service is not read',
    ],
  ])('rejects %s and lists what is read', async (_, body, type, reason) => {
    const reply = await put(body, type);
    expect(reply.status).toBe(415);
    expect(reply.body).toEqual(refusal('UNSUPPORTED_MEDIA_TYPE', `body: ${reason}; ${LIST}`));
  });

  it.each([
    ['WebVTT without a cue', 'WEBVTT\n', 'there is no cue in it'],
    ['WebVTT without text', 'WEBVTT\n\n00:01.000 --> 00:02.000\n\n', 'none of its cues contains text (1)'],
    ['JSON without a segment', '{"segments":[]}', 'there is no segment in it'],
    ['JSON of a service without one', '{"results":{"channels":[]}}', 'there is no segment in it'],
    ['a blank file', ' \n', 'it is blank'],
  ])('rejects %s', async (_, body, reason) => {
    const reply = await put(body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(refusal('VALIDATION_ERROR', `body: contains no segment: ${reason}`));
    expect((await ada.get(path)).body.data).toMatchObject({ status: 'not_started', revision: 0 });
  });

  it('lists what is read when JSON has an unknown shape', async () => {
    const reply = await put(JSON.stringify([{ name: 'Ada', said: 'Hi' }]), 'application/json');
    expect(reply.status).toBe(400);
    const reason = `body: JSON of an unknown shape is not read; ${LIST}`;
    expect(reply.body).toEqual(refusal('VALIDATION_ERROR', reason));
  });

  it('names what is wrong within such a file', async () => {
    const wrong = { results: { channels: [], utterances: [{ start: 2, end: 1, transcript: 'x' }] } };
    const reply = await put(JSON.stringify(wrong), 'application/json');
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(
      refusal('VALIDATION_ERROR', 'body: results.utterances[0].end: must not be before start'),
    );
  });
});
