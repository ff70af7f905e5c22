import { describe, expect, it } from '@jest/globals';
import { ChatSummarizer } from '../../../src/modules/pipeline/summarizing/chat/chat.summarizer.js';
import { cutIntoParts } from '../../../src/modules/pipeline/summarizing/chat/chat-parts.js';
import { lexemes, MINUTES, spoken } from '../../support/chat-minutes.js';
import { ChatRoute, json, type ChatRequest } from '../../support/openai-chat.js';
import { OpenAiServer } from '../../support/openai-server.js';

/** Seven minutes in which nothing of interest is said. */
const SMALL_TALK = Array.from({ length: 42 }, () => 'Bob: The weather in the mountains was lovely, was it?');
const SEGMENTS = spoken(
  'Ada Lovelace: Let us start with the billing service.',
  'Ada Lovelace: I think we should move the billing service to PostgreSQL before summer.',
  'Bob: Agreed, that costs 12,500 a year.',
  'Ada Lovelace: Eve, could you and Zoë write the migration plan by next Friday?',
  'Eve: Sure, we write it together.',
  ...SMALL_TALK,
  'Bob: In October we hire designers for the Lisbon office, says Marta, and the budget is 40,000.',
);
const HIRING = SEGMENTS.length - 1;
const SPEAKERS = ['Ada Lovelace', 'Bob', 'Eve'];
const DECISION = {
  text: 'The billing service moves to PostgreSQL before the summer.',
  segments: [1],
  quote: 'move the billing service to PostgreSQL before summer',
};
const ACTION_ITEM = {
  text: 'Write the migration plan.',
  segments: [3],
  quote: 'write the migration plan by next Friday',
  owner: 'Eve',
  due: 'by next Friday',
};

const route = new ChatRoute();
const server = OpenAiServer.ofTests(route);

const summarize = async (
  reply: object | ((request: ChatRequest) => object),
  { segments = SEGMENTS, partCharacters = 40_000 } = {},
) => {
  route.reply((request) => json({ ...MINUTES, ...(typeof reply === 'function' ? reply(request) : reply) }));
  const options = { lexemes, maxTokens: null, partCharacters };
  const source = { title: 'Weekly', language: 'en', speakers: SPEAKERS, segments };
  return (await new ChatSummarizer({ url: server.url, model: 'any' }, options).summarize(source)).made;
};
const decisionsOf = async (...given: object[]) =>
  (await summarize({ decisions: given.map((one) => ({ ...DECISION, ...one })) })).decisions;
const actionItem = async (change: object) =>
  (await summarize({ action_items: [{ ...ACTION_ITEM, ...change }] })).actionItems[0];

describe('a decision', () => {
  it.each([
    ['is quoted verbatim', {}],
    ['is quoted in other case and punctuation', { quote: 'Move the billing service, to “POSTGRESQL”' }],
    ['is a paraphrase with a verbatim quote', { text: 'Billing gets a new database: PostgreSQL.' }],
    ['is not quoted, but has most of its words from there', { quote: '' }],
    ['has a wrong quote, but most of its words from there', { quote: 'we drop the billing service' }],
  ])('is kept if it %s', async (_, given) => {
    expect(await decisionsOf(given)).toEqual([
      { text: { ...DECISION, ...given }.text, start: 10, segmentIds: [1] },
    ]);
  });

  it.each([
    ['cites nothing', { segments: [] }],
    ['cites segments that do not exist', { segments: [-1, 999, 2 ** 40] }],
    ['cites another moment', { segments: [20, HIRING] }],
    ['quotes another moment', { segments: [HIRING], quote: 'In October we hire designers' }],
    ['was never said', { text: 'The office in Berlin closes.', quote: '' }],
    ['was never said, beside a true quote', { text: 'The office in Berlin closes in summer.' }],
    ['has a number that was not said there', { text: 'PostgreSQL for the billing service at 40,000.' }],
    ['has no text', { text: ' \u0000 ' }],
    ['has no words to compare', { text: 'Do it so.' }],
    ['is in another language', { text: 'Die Abrechnung zieht um, wie beschlossen.' }],
  ])('is dropped if it %s', async (_, given) => {
    expect(await decisionsOf(given)).toEqual([]);
  });

  it('may have numbers that were said there, however they are written', async () => {
    const text = 'PostgreSQL for the billing service costs 12.500.';
    expect(await decisionsOf({ text })).toMatchObject([{ text }]);
  });

  it('keeps only the citations that hold', async () => {
    expect(await decisionsOf({ segments: [HIRING, 1, 20, 999, 1] })).toMatchObject([{ segmentIds: [1] }]);
  });
});

describe('the owner of an action item', () => {
  it.each([
    ['a speaker', 'eve', 'Eve'],
    ['a speaker by a part of the name', 'Ada', 'Ada Lovelace'],
    ['a name that was said there', 'Zoe', 'Zoe'],
    ['a name that was said at another moment', 'Marta', null],
    ['invented', 'Mallory', null],
    ['invented, with the name of a speaker in it', 'Eve Mallory', null],
    ['a pronoun', 'we', null],
    ['nobody', ' ', null],
  ])('that is %s', async (_, owner, expected) => {
    expect(await actionItem({ owner })).toMatchObject({ text: ACTION_ITEM.text, owner: expected });
  });
});

describe('when an action item is due', () => {
  it.each([
    ['as it was said', 'by next Friday', 'by next Friday'],
    ['with another preposition', 'until next Friday', 'next Friday'],
    ['in fewer words', 'Friday', 'Friday'],
    ['in part', 'Friday morning', null],
    ['with a word of another sentence', 'summer Friday', 'Friday'],
    ['never said', 'by Monday', null],
    ['said at another moment', 'in October', null],
    ['not said', '', null],
  ])('%s', async (_, due, expected) => {
    expect(await actionItem({ due })).toMatchObject({ text: ACTION_ITEM.text, due: expected });
  });
});

describe('items of a long meeting', () => {
  it('are not repeated, however often a reply has them', async () => {
    const decisions = Array.from({ length: 1_000 }, (_, index) => ({
      ...DECISION,
      text: index % 2 ? DECISION.text : 'the billing SERVICE moves to PostgreSQL, before the summer',
    }));
    expect(await summarize({ decisions })).toMatchObject({ decisions: [{ segmentIds: [1] }] });
  });

  it('are two when two people have to do the same', async () => {
    const given = ['Eve', 'Zoë', 'eve', 'Mallory'].map((owner) => ({ ...ACTION_ITEM, owner }));
    const { actionItems } = await summarize({ action_items: given });
    expect(actionItems.map(({ owner }) => owner)).toEqual(['Eve', 'Zoë']);
  });

  it('are checked against the part that was sent', async () => {
    const { decisions } = await summarize(
      ({ messages }) => {
        const isFirst = messages[1]!.content.includes('[0]');
        return { decisions: isFirst ? [] : [DECISION] };
      },
      { partCharacters: 1_500 },
    );
    expect(route.asked.length).toBeGreaterThan(2);
    expect(decisions).toEqual([]);
  });

  it('are merged where parts overlap, without the server', async () => {
    const line = 'Bob: We agreed to write the migration plan by Friday, together with Eve.';
    const talk = Array.from({ length: 60 }, () => 'Bob: The weather was lovely.'.padEnd(line.length, '.'));
    const at = cutIntoParts(spoken(...talk), 1_500)[1]!.segments[0]!.id;
    const segments = spoken(...talk.with(at, line));
    const item = { text: 'Write the migration plan.', segments: [at], quote: 'the migration plan' };
    const { decisions, actionItems } = await summarize(
      ({ messages }) => {
        const isFirst = messages[1]!.content.includes('[0]');
        return {
          decisions: [{ ...item, text: 'Plan: migration by Friday.' }],
          action_items: [
            isFirst
              ? { ...item, owner: 'Eve', due: '' }
              : { ...item, text: 'Migration plan, written down.', owner: '', due: 'by Friday' },
          ],
        };
      },
      { segments, partCharacters: 1_500 },
    );
    const sent = route.asked.filter(({ messages }) => messages[1]!.content.includes('agreed to write'));
    expect(sent).toHaveLength(2);
    const found = { start: at * 10, segmentIds: [at] };
    expect(decisions).toEqual([{ text: 'Plan: migration by Friday.', ...found }]);
    expect(actionItems).toEqual([{ text: item.text, ...found, owner: 'Eve', due: 'by Friday' }]);
  });
});
