import { describe, expect, it } from '@jest/globals';
import { summarizeExtractively } from '../../src/lib/extractive-summary/extractive-summary.js';
import { lexemes } from '../support/chat-minutes.js';

type Said = readonly [speaker: string, text: string];

const SUBJECTS = [
  'The database migration copies every table into the new PostgreSQL cluster.',
  'Replication slots of the old PostgreSQL cluster are removed a day after the migration.',
  'The newsletter costs a tenth of what the advertising campaign does.',
];

/** All in one moment, as a hostile file may say. */
const summarize = (said: readonly Said[]) =>
  summarizeExtractively(
    {
      title: 'Call',
      language: 'en',
      speakers: ['Ada', 'Bo'],
      segments: said.map(([speaker, text], id) => ({ id, start: 0, end: 0, speaker, text })),
    },
    lexemes,
  );

describe('a summary without a model', () => {
  it.each<[what: string, said: (index: number) => Said]>([
    ['of few sentences', (index) => ['Ada', SUBJECTS[index % 3]!]],
    ['without punctuation', (index) => ['Ada', `the migration copies table ${index % 500} into the cluster`]],
    [
      'that repeat one promise',
      () => ['Ada', 'I will test the backup of the PostgreSQL cluster by Thursday.'],
    ],
    ['that each ask somebody else', (index) => [`Speaker ${index % 300}`, 'Bo, can you review the indexes?']],
  ])(
    'takes time linear in a hundred thousand segments %s',
    async (_, said) => {
      const timeOf = async (count: number) => {
        const segments = Array.from({ length: count }, (__, index) => said(index));
        const before = process.cpuUsage();
        await summarize(segments);
        return process.cpuUsage(before).user / 1_000;
      };
      const few = await timeOf(10_000);
      expect(await timeOf(100_000)).toBeLessThan(20 * few + 1_000);
    },
    120_000,
  );

  it.each([
    ['one word', 'word'.repeat(250_000)],
    ['words without punctuation', 'I will test it by the end of '.repeat(35_000)],
    ['names', 'Ada, Ada will '.repeat(70_000)],
    ['commas', ','.repeat(1_000_000)],
  ])(
    'bounds the time of a sentence of a million characters: %s',
    async (_, text) => {
      const before = process.cpuUsage();
      const { content } = await summarize([['Ada', text]]);
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(20_000);
      expect(content.length).toBeLessThan(2_000);
    },
    60_000,
  );
});
