import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { ChatRoute, json } from '../../support/openai-chat.js';
import { blanksForever, failing } from '../../support/openai-behaviours.js';
import { OpenAiServer } from '../../support/openai-server.js';
import { startService, type TestService } from '../../support/service.js';

const TEXTS = [
  ['Ada', 'Welcome, everyone. Three things today: the budget, winter routes and hiring.'],
  ['Grace', 'The budget was approved by the board on Monday, with ten percent less for travel.'],
  ['Ada', 'Good. What about the winter routes?'],
  ['Linus', 'Winter routes go live on the first of December, two weeks later than we planned.'],
  ['Grace', 'And we hire two mechanics for the depot before the winter begins.'],
  ['Ada', 'Thank you all, see you next week.'],
];
const meeting = recording('Ada', {
  title: 'Weekly',
  transcript: {
    language: 'en',
    segments: TEXTS.map(([speaker, text], index) => ({
      start: index * 10,
      end: index * 10 + 8,
      speaker,
      text,
    })),
  },
});
const none = recording('Ada');
const world = { users: [user('Ada')], recordings: [meeting, none] };
const QUESTION = 'When do the winter routes start?';
const ROUTES = {
  id: 3,
  start: 30,
  end: 38,
  speaker: 'Linus',
  quote: 'Winter routes go live on the first of December, two weeks later than we planned.',
};

describe('POST /recordings/:id/questions without a chat server', () => {
  let service: TestService;
  let ada: Client;
  beforeAll(async () => {
    service = await startService();
    await service.import(world);
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());
  const ask = (question: unknown, of = meeting) => ada.post(`/recordings/${of.id}/questions`, { question });

  it('returns the best matching passages in mode passages', async () => {
    const { status, body } = await ask(QUESTION);
    expect(status).toBe(200);
    expect(body.data.mode).toBe('passages');
    expect(body.data.notice).toBe(
      'No chat server is configured to write an answer; these are the passages that match best.',
    );
    const ids = body.data.citations.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(body.data.citations).toContainEqual(ROUTES);
    expect(body.data.answer).toContain(`Linus (0:30): "${ROUTES.quote}"`);
    for (const { id, quote } of body.data.citations) expect(TEXTS[id]?.[1]).toBe(quote);
  });

  it('reports when nothing matches', async () => {
    const { status, body } = await ask('How tall is the Eiffel tower?');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ mode: 'passages', citations: [] });
    expect(body.data.answer).toMatch(/nothing/i);
  });

  it('requires a completed transcription', async () => {
    const { status, body } = await ask(QUESTION, none);
    expect(status).toBe(409);
    expect(body).toEqual(
      refusal(
        'CONFLICT',
        expect.stringContaining('has not been transcribed yet. Questions need a transcript'),
      ),
    );
  });

  it.each([['   '], ['x'.repeat(1_001)], [undefined]])('rejects the question %j', async (question) => {
    const { status, body } = await ask(question);
    expect(status).toBe(400);
    expect(body).toEqual(refusal('VALIDATION_ERROR', expect.stringContaining('question')));
  });
});

describe('POST /recordings/:id/questions with a chat server', () => {
  const route = new ChatRoute();
  let server: OpenAiServer;
  let service: TestService;
  let ada: Client;
  beforeAll(async () => {
    server = await OpenAiServer.start(route);
    service = await startService({ CHAT_URL: server.url, CHAT_MODEL: 'small', CHAT_ANSWER_SECONDS: '1' });
    await service.import(world);
    ada = service.api.as(keyOf('Ada'));
  });
  afterEach(() => {
    expect(server.failures).toEqual([]);
    server.reset();
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });
  const ask = (question: string) => ada.post(`/recordings/${meeting.id}/questions`, { question });

  it('returns the written answer, citing the transcript verbatim', async () => {
    const quote = 'winter routes go live on the first of december';
    route.reply(
      json({ citations: [{ segment_id: 3, quote }], answer: 'On the first of December.', answered: true }),
    );
    const { status, body } = await ask(QUESTION);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ mode: 'written', answer: 'On the first of December.' });
    expect(body.data.citations).toHaveLength(1);
    expect(body.data.citations[0]).toMatchObject({ id: 3, start: 30, speaker: 'Linus' });
    expect(ROUTES.quote).toContain(body.data.citations[0].quote);
    expect(route.lastWords(0)).toContain(ROUTES.quote);
  });

  it('never returns a citation that is not in the transcript: falls back to passages', async () => {
    route.reply(
      json({
        citations: [{ segment_id: 3, quote: 'The routes were cancelled for good' }],
        answer: 'They were cancelled.',
        answered: true,
      }),
    );
    const { body } = await ask(QUESTION);
    expect(body.data.mode).toBe('passages');
    expect(body.data.answer).not.toContain('cancelled');
    expect(body.data.citations).toContainEqual(ROUTES);
    expect(route.asked).toHaveLength(2);
  });

  it('falls back to passages, and says so, when the server sends blanks and no end', async () => {
    server.always(blanksForever(''));
    route.reply(json({}));
    const began = performance.now();
    const { status, body } = await ask(QUESTION);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(status).toBe(200);
    expect(body.data.mode).toBe('passages');
    expect(body.data.notice).toBe(
      'The chat server did not answer within 1 s; these are the passages that match best.',
    );
    expect(body.data.citations).toContainEqual(ROUTES);
  });

  it('falls back to passages when the server fails', async () => {
    server.always(failing(401, 'no'));
    route.reply(json({}));
    const { status, body } = await ask(QUESTION);
    expect(status).toBe(200);
    expect(body.data.mode).toBe('passages');
    expect(body.data.citations).toContainEqual(ROUTES);
  });
});
