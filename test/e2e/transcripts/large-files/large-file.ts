import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readTranscriptFile } from '../../../../src/lib/transcript-formats/transcript-formats.js';
import { keyOf, recording, user } from '../../../factories/workspace.js';
import { refusal, type Client } from '../../../support/client.js';
import { longestBlock } from '../../../support/main-thread.js';
import { startService, type TestService } from '../../../support/service.js';

const time = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(11, 19)}.000`;
const WORDS = 'what was said in a very long meeting about many things that matter to somebody & more '.repeat(
  2,
);

/** WebVTT exactly as the service writes it, a megabyte for 4,500 segments. */
function longFile(count: number): string {
  const cues = Array.from(
    { length: count },
    (_, index) =>
      `\n${time(index)} --> ${time(index + 1)}\n<v Speaker ${index % 7}>${index} ${WORDS.trim().replaceAll('&', '&amp;')}</v>\n`,
  );
  return `WEBVTT\nLanguage: en\n${cues.join('')}`;
}

/** The transcript of a meeting of so many segments. */
export function largeFile(count: number): void {
  let service: TestService;
  let ada: Client;
  const meeting = recording('Ada');
  const path = `/recordings/${meeting.id}/transcript`;
  const file = longFile(count);

  beforeAll(async () => {
    service = await startService({}, { confined: true });
    await service.import({ users: [user('Ada')], recordings: [meeting] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const send = (body: string, type = 'text/vtt') =>
    ada.request('PUT', path, { body, headers: { 'content-type': type } });

  it('is imported off the main thread', async () => {
    const here = await longestBlock(() => readTranscriptFile(Buffer.from(file), { contentType: 'text/vtt' }));
    const block = await longestBlock(async () => {
      expect((await send(file)).status).toBe(200);
    });
    expect(block).toBeLessThan(here / 2);
  });

  it('is exported exactly as it was imported', async () => {
    const { status, body } = await ada.get(`${path}?format=vtt`);
    expect(status).toBe(200);
    expect(body === file).toBe(true);
  });

  it('has a bounded number of speakers', async () => {
    const segments = Array.from({ length: 1_001 }, (_, index) => ({
      start: index,
      end: index + 1,
      text: 'Hi',
      speaker: `Speaker ${index}`,
    }));
    const { status, body } = await send(JSON.stringify({ segments }), 'application/json');
    expect(status).toBe(400);
    expect(body).toEqual(
      refusal(
        'VALIDATION_ERROR',
        'body: segments[1000].speaker: there are more than 1,000 different speakers',
      ),
    );
  });
}
