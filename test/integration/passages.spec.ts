import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { answerContext } from '../../src/modules/questions/passages/find-passages.task.js';
import { rankPassages } from '../../src/modules/questions/passages/passages.js';
import type { Meeting } from '../../src/modules/questions/passages/meetings.queries.js';
import { answerOfPassages } from '../../src/modules/questions/answers/passages-answer.js';
import { lexemesOf } from '../../src/modules/search/index/public/lexemes.queries.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import type { SpokenSegment } from '../../src/lib/transcript-formats/transcript.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createDatabase();
  dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const rank = (question: string, segments: readonly SpokenSegment[], most?: number, language = 'en') =>
  rankPassages(question, [only(segments, language)], stems, most);

const stems = (language: string | null, texts: readonly string[]) => lexemesOf(dataSource, language, texts);

const only = (
  segments: readonly SpokenSegment[],
  language = 'en',
  cited: readonly number[] = [],
): Meeting => ({
  recordingId: 'weekly',
  title: 'Weekly',
  language,
  segments,
  weight: 1,
  speakers: null,
  cited: new Set(cited),
});

const ids = async (question: string, segments: readonly SpokenSegment[]) =>
  (await rank(question, segments)).map(({ id }) => id);

function meeting(...lines: [speaker: string, text: string][]): SpokenSegment[] {
  return lines.map(([speaker, text], id) => ({ id, start: id * 5, end: id * 5 + 4, speaker, text }));
}

const BUDGET = meeting(
  ['Ada Osei', 'Good morning everybody, can you hear me?'],
  ['Bob', 'Loud and clear.'],
  ['Ada Osei', 'First the winter routes. They go live on Monday.'],
  ['Bob', 'And the budget for the new buses?'],
  ['Ada Osei', 'Twelve thousand this quarter, as the board approved.'],
  ['Cleo', 'The drivers asked for longer breaks on the night routes.'],
  ['Bob', 'Breaks cost money.'],
  ['Cleo', 'So do accidents, and tired drivers have accidents.'],
  ['Ada Osei', 'We try longer breaks in January and look at the numbers.'],
  ['Bob', 'Fine by me.'],
);

describe('passages that match a question', () => {
  it('are whole segments with their times, best first', async () => {
    const [best] = await rank('When do the winter routes go live?', BUDGET);
    expect(best).toMatchObject({
      id: 2,
      start: 10,
      end: 14,
      speaker: 'Ada Osei',
      quote: 'First the winter routes. They go live on Monday.',
    });
  });

  it('find words in other forms', async () => {
    expect((await ids('Which driver had an accident?', BUDGET))[0]).toBe(7);
  });

  it('are those that decisions or action items rest on if the question asks for these, on its topic', async () => {
    const found = async (question: string, cited: readonly number[]) =>
      (await rankPassages(question, [only(BUDGET, 'en', cited)], stems)).map(({ id }) => id);
    expect((await found('What was decided?', [2, 8])).toSorted()).toEqual([2, 8]);
    expect(await found('What was decided?', [])).toEqual([]);
    expect((await found('Which decisions were made in this meeting?', [4, 8])).toSorted()).toEqual([4, 8]);
    expect((await found('What did we decide about the breaks?', [2, 8]))[0]).toBe(8);
    expect(await found('What did we decide about the breaks?', [2, 8])).not.toContain(2);
    expect(await found('Did we agree on the height of the tower?', [2, 8])).toEqual([]);
    expect((await found('What does Ada have to do?', [2, 5]))[0]).toBe(2);
  });

  it('include what a speaker said if the question names them, even without the words of the question', async () => {
    const found = await ids('What did Ada say about the budget?', BUDGET);
    expect(found.slice(0, 2).sort()).toEqual([2, 4]);
    expect((await ids('What did Cleo say about breaks?', BUDGET))[0]).toBe(5);
    expect((await ids('What did Bob say about breaks?', BUDGET))[0]).toBe(6);
  });

  it('are empty if no word of the question occurs', async () => {
    expect(await rank('Who won the football match?', BUDGET)).toEqual([]);
    expect(await rank('What is it?', BUDGET)).toEqual([]);
    expect(await rank('Who won?', [])).toEqual([]);
    expect(answerOfPassages([])).toEqual({
      mode: 'passages',
      answer: 'Nothing in the transcript matches the question.',
      citations: [],
    });
  });

  it('are read with their neighbours: sentences split by captions, and what follows a question', async () => {
    const split = meeting(
      ['Ada', 'About the winter routes, which we'],
      ['Ada', 'planned for December: they go live'],
      ['Ada', 'on Monday.'],
      ['Bob', 'And who drives the night routes?'],
      ['Ada', 'Cleo does.'],
      [
        'Bob',
        'Good, because somebody has to do that and I am on leave, as you all know, until the end of the month.',
      ],
      ['Ada', 'Next item.'],
    );
    const [best] = await rank('When were they planned for, December?', split, 1);
    expect(best?.segments.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
    const [night] = await rank('Who drives at night?', split, 1);
    expect(night?.segments.map(({ id }) => id)).toContain(4);
  });
});

describe('the context of an answer', () => {
  it('is the whole transcript if it is short', () => {
    const given = answerContext([only(BUDGET)], []);
    expect(given).toEqual(BUDGET.map((segment) => ({ ...segment, recordingId: 'weekly', title: 'Weekly' })));
  });

  it('is the best passages with their surroundings, in chronological order, if it is long', async () => {
    const long = meeting(
      ...Array.from({ length: 1_000 }, (_, index): [string, string] => [
        'Ada',
        index === 700
          ? 'The aqueduct.'
          : index === 300
            ? 'An aqueduct and a bridge, one after the other.'
            : `Something else, number ${index}.`,
      ]),
    );
    const passages = await rank('aqueduct', long);
    const given = answerContext([only(long)], passages).map(({ id }) => id);
    expect(given).toEqual([
      296, 297, 298, 299, 300, 301, 302, 303, 304, 696, 697, 698, 699, 700, 701, 702, 703, 704,
    ]);
    expect(answerContext([only(long)], passages, 500).map(({ id }) => id)).toHaveLength(9);
  });
});
