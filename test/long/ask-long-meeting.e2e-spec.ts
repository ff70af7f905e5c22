import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../factories/workspace.js';
import type { Client, Reply } from '../support/client.js';
import { longestBlock } from '../support/main-thread.js';
import { startService, type TestService } from '../support/service.js';

const COUNT = 20_000;
const WORDS = 'plan route driver winter night board budget bus break number cost report team week road'.split(
  ' ',
);
const SAID: Readonly<Record<number, readonly [speaker: string, text: string]>> = {
  13_456: ['Ada', 'The aqueduct is inspected in the second week of spring.'],
  // The fifty chunks before this one are about tunnels too.
  15_000: ['Wangari', 'The tunnel stays closed until the pumps are replaced.'],
  19_999: ['Zoltan', 'Goodbye.'],
};

function segment(index: number): object {
  const words = Array.from(
    { length: 12 },
    (_, at) => WORDS[(index * 7 + at * at * (index % 11)) % WORDS.length],
  );
  if (index % 100 === 0) words.push('tunnel');
  const [speaker, text] = SAID[index] ?? [`Speaker ${index % 7}`, words.join(' ')];
  return { start: index, end: index + 1, speaker, text };
}

describe('a question about a very long meeting', () => {
  let service: TestService;
  let ada: Client;
  const meeting = recording('Ada', {
    transcript: { language: 'en', segments: Array.from({ length: COUNT }, (_, index) => segment(index)) },
  });

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')], recordings: [meeting] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const ask = (question: string): Promise<Reply> =>
    ada.post(`/recordings/${meeting.id}/questions`, { question });
  const first = async (question: string) => (await ask(question)).body.data.citations[0];

  it('finds a passage anywhere in the transcript', async () => {
    expect(await first('Which week is the aqueduct inspected, and what does it cost?')).toMatchObject({
      id: 13_456,
      speaker: 'Ada',
    });
  });

  it('finds what the named speaker said among many similar passages', async () => {
    expect(await first('What did Wangari say about the tunnel?')).toMatchObject({ id: 15_000 });
  });

  it('finds what a speaker said when it asks for nothing else', async () => {
    expect(await first('What did Zoltan say?')).toMatchObject({ id: 19_999, quote: 'Goodbye.' });
  });

  it('finds what decisions rest on, without a word of the question', async () => {
    const decisions = [{ text: 'The tunnel is closed', segmentIds: [15_000] }];
    await ada.request('PUT', `/recordings/${meeting.id}/summary`, { body: { decisions } });
    expect(await first('What was decided?')).toMatchObject({ id: 15_000, speaker: 'Wangari' });
    expect((await ask('What are the action items?')).body.data.citations).toEqual([]);
  });

  it('does not block the service at 1,000 characters', async () => {
    const question = ['route', ...Array.from({ length: 240 }, (_, index) => index)].join(' ');
    const block = await longestBlock(async () => expect((await ask(question)).status).toBe(200));
    // Reading the whole meeting took several seconds.
    expect(block).toBeLessThan(500);
  });
});
