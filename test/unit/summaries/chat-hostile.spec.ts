import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ChatSummarizer } from '../../../src/modules/pipeline/summarizing/chat/chat.summarizer.js';
import { RefusedError } from '../../../src/modules/pipeline/public/steps.js';
import { lexemes, MINUTES, spoken } from '../../support/chat-minutes.js';
import { dripping, endless, failing, silent, tooManyRequests } from '../../support/openai-behaviours.js';
import { ChatRoute, json, written } from '../../support/openai-chat.js';
import { OpenAiServer } from '../../support/openai-server.js';

const SEGMENTS = spoken(
  ...Array.from({ length: 2_000 }, (_, index) => `Ada: We decided on number ${index} of the agenda.`),
);
/** As many as fit into the largest reply that is read. */
const MEGABYTE = 1024 * 1024 - 1_000;

const route = new ChatRoute();
let server: OpenAiServer;

beforeAll(async () => {
  server = await OpenAiServer.start(route);
});
afterEach(() => server.reset());
afterAll(() => server.stop());

const summarize = async (segments = SEGMENTS.slice(0, 5), milliseconds = 60_000) => {
  const options = { lexemes, maxTokens: null, milliseconds, partCharacters: 200_000 };
  const source = { title: 'Weekly', language: 'en', speakers: ['Ada'], segments };
  return (await new ChatSummarizer({ url: server.url, model: 'any' }, options).summarize(source)).made;
};
const timed = async <T>(work: Promise<T>): Promise<{ result: T | Error; milliseconds: number }> => {
  const began = performance.now();
  const result = await work.catch((error: Error) => error);
  return { result, milliseconds: performance.now() - began };
};
/** As many copies of an item as fit into a reply, which is JSON within JSON. */
const filled = <T>(item: T): T[] =>
  Array.from({ length: Math.floor(MEGABYTE / JSON.stringify(JSON.stringify(item)).length) }, () => item);

describe('a chat server that stalls', () => {
  it.each([
    ['never replies', silent],
    ['sends its reply byte by byte', dripping],
  ])('is left to a later attempt when it %s', async (_, behaviour) => {
    route.reply(json(MINUTES));
    server.always(behaviour);
    const { result, milliseconds } = await timed(summarize(undefined, 300));
    expect(result).toBeInstanceOf(Error);
    expect(result).not.toBeInstanceOf(RefusedError);
    expect(milliseconds).toBeLessThan(5_000);
    expect(server.requests).toHaveLength(1);
  });

  it('is left to a later attempt when it asks to be asked in an hour', async () => {
    route.reply(json(MINUTES));
    server.always(tooManyRequests('3600'));
    const { result, milliseconds } = await timed(summarize());
    expect(result).not.toBeInstanceOf(RefusedError);
    expect(String(result)).toContain('429');
    expect(milliseconds).toBeLessThan(5_000);
  });

  it('is left to a later attempt when it fails again and again', async () => {
    route.reply(json(MINUTES));
    server.always(failing(500, 'out of memory', { headers: { 'retry-after': '0' } }));
    const { result } = await timed(summarize());
    expect(result).not.toBeInstanceOf(RefusedError);
    expect(String(result)).toContain('500');
    expect(server.requests).toHaveLength(4);
  });
});

describe('a chat server that does not stop', () => {
  it('is refused once its reply exceeds the limit', async () => {
    route.reply(json(MINUTES));
    server.always(endless);
    const before = process.memoryUsage().rss;
    const { result, milliseconds } = await timed(summarize());
    expect(result).toEqual(new RefusedError('The chat server returned a response that is too large.'));
    expect(milliseconds).toBeLessThan(5_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('and repeats itself is asked for half of it, down to a limit', async () => {
    route.reply({ ...written('{"overview": ["so so so so '.padEnd(10_000, 'so ')), finish: 'length' });
    const { result } = await timed(summarize(SEGMENTS));
    expect(String(result)).toContain('too long and was cut off');
    expect(result).not.toBeInstanceOf(RefusedError);
    expect(route.asked.length).toBeLessThan(20);
  });
});

describe('a reply of a megabyte', () => {
  const item = {
    text: 'Number 7 of the agenda was decided.',
    segments: Array.from({ length: 30 }, (_, index) => index * 60),
    quote: 'We decided on number 7 of the agenda, and on everything else',
    owner: 'Mallory',
    due: 'by the end of the agenda',
  };
  const point = { point: item.text, segments: item.segments, quotes: [{ segment: 0, quote: item.quote }] };

  it.each([
    ['one decision', { decisions: filled(item) }],
    ['one action item', { action_items: filled(item) }],
    ['one point', { topics: [{ title: 'Agenda', points: filled(point) }] }],
    ['one topic', { topics: filled({ title: 'Agenda', points: [point] }) }],
    ['one paragraph', { overview: filled('So.') }],
    ['citations', { decisions: [{ ...item, segments: filled(100_000).map((_, index) => index) }] }],
    ['one word', { decisions: [{ ...item, text: 'agenda '.repeat(MEGABYTE / 7) }] }],
    ['quotes', { decisions: [{ ...item, quote: 'we decided '.repeat(MEGABYTE / 11) }] }],
    ['owners', { action_items: [{ ...item, owner: 'Ada '.repeat(MEGABYTE / 4) }] }],
  ])('full of %s is read in a few seconds, into a summary of ordinary size', async (_, reply) => {
    const distinct = (items: readonly object[]) => items.map((one, at) => ({ ...one, ...numbered(one, at) }));
    const varied = Object.fromEntries(
      Object.entries(reply).map(([name, list]) => [
        name,
        typeof list[0] === 'string' ? list : distinct(list as object[]),
      ]),
    );
    for (const given of [reply, varied]) {
      route.reply(json({ ...MINUTES, ...given }));
      const { result, milliseconds } = await timed(summarize(SEGMENTS));
      expect(result).not.toBeInstanceOf(Error);
      expect(JSON.stringify(result).length).toBeLessThan(200_000);
      expect(milliseconds).toBeLessThan(4_000);
    }
  });

  it('that nests lists is no reply', async () => {
    route.reply(written('{"overview": '.padEnd(MEGABYTE - 100, '[')));
    const { result } = await timed(summarize());
    expect(String(result)).toContain('it is not a single JSON object');
  });
});

/** The same text in other words, so that it is no repetition. */
const numbered = (one: object, at: number): object => ('text' in one ? { text: `Agenda ${at}` } : {});
