import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { MINUTES } from '../../support/chat-minutes.js';
import { failing } from '../../support/openai-behaviours.js';
import { ChatRoute, json } from '../../support/openai-chat.js';
import { OpenAiServer } from '../../support/openai-server.js';
import { eventually, startService, type TestService } from '../../support/service.js';

const said = (index: number, speaker: string, text: string) => ({
  start: index * 10,
  end: index * 10 + 9,
  speaker,
  text,
});
const MEETING = [
  said(0, 'Ada', 'We agreed to close the ticket office in winter.'),
  said(1, 'Ada', 'Grace, will you print the new timetables by Thursday?'),
  said(2, 'Grace', 'Yes, I am going to print them.'),
];
const LONG_MEETING = Array.from({ length: 300 }, (_, index) =>
  said(
    index,
    index % 2 ? 'Ada' : 'Grace',
    `The budget of project ${index} has to be approved by the board of the harbor.`,
  ),
);

describe('a summary that a chat server writes', () => {
  const route = new ChatRoute();
  let server: OpenAiServer;
  let service: TestService;

  beforeAll(async () => {
    server = await OpenAiServer.start(route);
    const settings = { CHAT_URL: server.url, CHAT_MODEL: 'minutes-1', CHAT_MAX_TOKENS: '8000' };
    service = await startService(settings, { worker: true });
    await service.import({ users: [user('Ada')] });
  });
  afterEach(() => server.reset());
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  const summaryOf = async (segments: readonly object[]) => {
    const meeting = recording('Ada', { transcript: { language: 'en', segments } });
    await service.import({ recordings: [meeting] });
    const ada = service.api.as(keyOf('Ada'));
    expect((await ada.post(`/recordings/${meeting.id}/summary`)).status).toBe(202);
    const read = async () => (await ada.get(`/recordings/${meeting.id}/summary`)).body.data;
    await eventually(async () => expect((await read()).status).toMatch(/^(?:completed|failed)$/));
    return read();
  };

  it('has the decisions and action items of which the transcript gives proof', async () => {
    const printing = {
      text: 'Print the new timetables.',
      segments: [1, 2],
      quote: 'print the new timetables',
    };
    route.reply(
      json({
        ...MINUTES,
        decisions: [
          { text: 'The ticket office closes in winter.', segments: [0], quote: 'close the ticket office' },
          { text: 'All ferries are sold.', segments: [0], quote: 'close the ticket office' },
          { text: 'The ticket office closes in winter, too.', segments: [7], quote: '' },
        ],
        action_items: [
          { ...printing, owner: 'grace', due: 'by Thursday' },
          { ...printing, text: 'Print timetables, new ones.', owner: 'Mallory', due: 'tomorrow' },
        ],
      }),
    );
    expect(await summaryOf(MEETING)).toMatchObject({
      status: 'completed',
      content: 'They met.',
      decisions: [
        { text: 'The ticket office closes in winter.', start: 0, segmentIds: [0], confidence: null },
      ],
      actionItems: [
        {
          text: printing.text,
          owner: 'Grace',
          due: 'by Thursday',
          start: 10,
          segmentIds: [1, 2],
          confidence: null,
          done: false,
        },
      ],
    });
    expect(server.failures).toEqual([]);
  });

  it('reports what was said once CHAT_MAX_TOKENS is reached', async () => {
    route.reply(json(MINUTES));
    const { status, content, topics } = await summaryOf(LONG_MEETING);
    expect(status).toBe('completed');
    expect(route.asked).toHaveLength(0);
    expect(content).toMatch(/(?:^|\. )(?:Ada|Grace) said that the budget of project/);
    expect(topics.length).toBeGreaterThan(0);
  });

  it('fails with the reason that the server gives', async () => {
    route.reply(json(MINUTES));
    server.always(failing(401, 'no such key'));
    expect(await summaryOf(MEETING)).toMatchObject({
      status: 'failed',
      statusReason: 'The chat server rejected the API key.',
    });
  });
});
