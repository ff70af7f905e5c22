import { describe, expect, it } from '@jest/globals';
import { ChatSummarizer } from '../../../src/modules/pipeline/summarizing/chat/chat.summarizer.js';
import { RefusedError } from '../../../src/modules/pipeline/public/steps.js';
import { lexemes, MINUTES, spoken } from '../../support/chat-minutes.js';
import { type ChatRequest, ChatRoute, json } from '../../support/openai-chat.js';
import { OpenAiServer } from '../../support/openai-server.js';
import type { SummarySource } from '../../../src/lib/extractive-summary/summary.js';

/** About 40,000 characters, a quarter of an hour of each subject. */
const SUBJECTS = ['budget of the harbor', 'engine of the ferry', 'tickets for students', 'paint of the hull'];
const SEGMENTS = spoken(
  ...SUBJECTS.flatMap((subject) =>
    Array.from(
      { length: 90 },
      (_, index) =>
        `${index % 2 ? 'Ada' : 'Bob'}: We looked at the ${subject} again, and proposal ${index} for the ${subject} is the best.`,
    ),
  ),
);
const SOURCE = { title: 'Weekly', language: 'en', speakers: ['Ada', 'Bob'], segments: SEGMENTS };
const LENGTH = SEGMENTS.reduce((sum, { text }) => sum + text.length, 0);

const route = new ChatRoute();
const server = OpenAiServer.ofTests(route);

const summarize = (maxTokens: number | null, partCharacters = 10_000, source: SummarySource = SOURCE) =>
  new ChatSummarizer({ url: server.url, model: 'any' }, { lexemes, maxTokens, partCharacters }).summarize(
    source,
  );
const sizeOf = ({ messages }: ChatRequest) => messages.reduce((sum, { content }) => sum + content.length, 0);
const isWhole = ({ messages }: ChatRequest) => !/Part: \d|<minutes/.test(messages[1]!.content);
const isMerge = ({ messages }: ChatRequest) => messages[1]!.content.includes('<minutes part="1">');
const isLastPart = ({ messages }: ChatRequest) => /Part: (\d+) of \1\b/.test(messages[1]!.content);
/** Minutes of a part that name the first segment of it. */
const minutes = (usage?: (request: ChatRequest) => object | null) => (request: ChatRequest) => {
  const [, first] = /\[(\d+)\]/.exec(request.messages[1]!.content) ?? [];
  const overview = [isMerge(request) ? 'Merged.' : `Written from ${first}.`];
  return { ...json({ ...MINUTES, overview }), usage: usage?.(request) };
};
const counted = (tokens: number) => () => ({ prompt_tokens: tokens, completion_tokens: 1_000 });

describe('CHAT_MAX_TOKENS', () => {
  it('leaves what it does not allow to the extractive summarizer', async () => {
    route.reply(minutes(counted(4_000)));
    const { made, quotedFrom } = await summarize(15_000);
    expect(route.asked.map(isMerge)).toEqual([false, false, true]);
    expect(quotedFrom).toBeGreaterThan(1_000);
    const [first, reported] = made.content.split('\n\n');
    expect(first).toBe('Merged.');
    expect(reported).toMatch(/^(?:Ada and Bob|Bob and Ada) spoke about /);
    expect(made.topics.length).toBeGreaterThan(0);
    for (const { start } of made.topics) expect(start).toBeGreaterThanOrEqual(quotedFrom!);
  });

  it('leaves the whole meeting to it when it allows nothing', async () => {
    route.reply(minutes());
    const { made, quotedFrom } = await summarize(1_000);
    expect(route.asked).toHaveLength(0);
    expect(quotedFrom).toBe(0);
    expect(made.topics.length).toBeGreaterThan(0);
  });

  it('may be enough for the parts, but not for merging them', async () => {
    route.reply(minutes((request) => counted(isLastPart(request) ? 20_000 : 500)()));
    const { made, quotedFrom } = await summarize(20_000);
    expect(route.asked.some(isMerge)).toBe(false);
    expect(quotedFrom).toBeNull();
    expect(made.content.split('\n\n')).toHaveLength(route.asked.length);
  });

  it.each([
    ['does not count', () => null],
    ['counts nonsense', () => ({ prompt_tokens: -1, completion_tokens: 'many' })],
    ['counts nothing', () => ({ prompt_tokens: 0, completion_tokens: 0 })],
  ])('is estimated when the server %s', async (_, usage) => {
    route.reply(minutes(usage));
    await summarize(12_000);
    expect(route.asked.length).toBeGreaterThan(1);
    expect(route.asked.length).toBeLessThan(4);
  });

  it('counts replies that could not be used', async () => {
    const bad = { content: 'Sorry', usage: { prompt_tokens: 3_000, completion_tokens: 5_000 } };
    route.reply(bad, minutes(counted(3_000)));
    const { quotedFrom } = await summarize(16_000);
    expect(route.asked).toHaveLength(2);
    expect(quotedFrom).toBeGreaterThan(0);
  });
});

describe('a server that reads only a part of a request', () => {
  /** As Ollama does: beyond the context length, it drops all but half of it, from the beginning. */
  const truncating = (context: number) => (request: ChatRequest) => {
    const tokens = Math.round(sizeOf(request) / 4);
    return { prompt_tokens: tokens > context ? context / 2 + 2 : tokens, completion_tokens: 100 };
  };

  it.each([8_192, 4_096])('is sent smaller parts, until %d tokens are enough', async (context) => {
    route.reply(minutes(truncating(context)));
    const { quotedFrom } = await summarize(null, 40_000);
    expect(quotedFrom).toBeNull();
    expect(sizeOf(route.asked[0]!) / 4).toBeGreaterThan(context);
    const [first] = route.asked.slice(1);
    expect(first!.messages[1]!.content).toContain('Part: 1 of ');
    for (const request of route.asked.slice(1)) expect(sizeOf(request) / 4).toBeLessThan(context);
  });

  it('is noticed in languages without spaces, too', async () => {
    const segments = spoken(
      ...Array.from({ length: 400 }, () => '王芳: 我们今天决定冬季路线从星期一开始生效。'),
    );
    route.reply(
      minutes((request) => ({
        prompt_tokens: Math.round(sizeOf(request) / 1.5 / (isWhole(request) ? 2 : 1)),
      })),
    );
    await summarize(null, 40_000, { ...SOURCE, language: 'zh', segments });
    expect(route.asked.map(isWhole).filter(Boolean)).toHaveLength(1);
    expect(route.asked.length).toBeGreaterThan(2);
  });

  it('is refused, with what helps, when no part fits', async () => {
    route.reply(minutes(truncating(2_048)));
    const error: unknown = await summarize(null, 40_000).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RefusedError);
    expect((error as Error).message).toBe(
      'The chat server reads only 1026 tokens of a request. Its context length must be increased.',
    );
  });

  it('is not suspected for counting only what it has not cached', async () => {
    route.reply(minutes(counted(500)));
    await summarize(null, LENGTH * 2);
    expect(route.asked).toHaveLength(1);
  });
});
