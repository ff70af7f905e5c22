import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { READ_FORMATS } from '../../../src/lib/transcript-formats/read-formats.js';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { docxOf, paragraph } from '../../support/docx.js';
import { DEEPGRAM, TEAMS_NEWER } from '../../support/foreign-transcripts.js';
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
});
