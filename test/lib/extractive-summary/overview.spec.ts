import { describe, expect, it } from '@jest/globals';
import { summarizeExtractively } from '../../../src/lib/extractive-summary/extractive-summary.js';
import { lexemes } from '../../support/chat-minutes.js';

type Said = readonly [speaker: string, text: string];

async function overviewOf(said: readonly Said[], language: string | null = 'en'): Promise<string> {
  const { content } = await summarizeExtractively(
    {
      title: 'Call',
      language,
      speakers: [...new Set(said.map(([speaker]) => speaker))].filter((speaker) => speaker !== ''),
      segments: said.map(([speaker, text], id) => ({ id, start: id * 10, end: id * 10 + 9, speaker, text })),
    },
    lexemes,
  );
  return content;
}

describe('the overview of a summary without a model', () => {
  it.each([
    [
      'We agreed to run the database migration on Saturday night.',
      'Ada said that they agreed to run the database migration on Saturday night.',
    ],
    [
      "I'm testing our backup of the database, and Bo's team helps us.",
      "Ada said that they are testing their backup of the database, and Bo's team helps them.",
    ],
    [
      'I was late with the migration, as my database was broken.',
      'Ada said that they were late with the migration, as their database was broken.',
    ],
    [
      'I think the migration of the largest billing tables takes five hours.',
      'Ada thinks that the migration of the largest billing tables takes five hours.',
    ],
    [
      "Let's postpone the migration of the billing tables to the second week of August.",
      'Ada suggested that they postpone the migration of the billing tables to the second week of August.',
    ],
    [
      'EIP-7702 has to be tested before the migration of the database.',
      'Ada said that EIP-7702 has to be tested before the migration of the database.',
    ],
  ])('reports in the third person: %s', async (text, report) => {
    expect(await overviewOf([['Ada', text]])).toContain(report);
  });

  it.each([
    'Ada and I have tested the backup of the database cluster.',
    'We told them that our database cluster of the billing team is ready.',
    'You need to test the backup of your database cluster before Monday.',
    'The backup of the database cluster, the one that we… Tested the migration.',
    'Should we test the backup of the database cluster before the migration?',
    'The database migration of the billing team with its large tables.',
  ])('does not retell what cannot be put so for certain: %s', async (text) => {
    const content = await overviewOf([['Ada', text]]);
    expect(content).not.toMatch(/ (?:said|thinks|suggested) that /);
  });

  it('names topics and who spoke most', async () => {
    const said = (speaker: string, subject: string): Said[] => [
      [speaker, `The ${subject} has to be tested in the new cluster before Monday.`],
      [speaker, `Nobody has looked at the ${subject} since the release of March.`],
      [speaker, `The costs of the ${subject} are two thousand dollars a month.`],
    ];
    const talk = [
      ...said('Ada', 'backup server'),
      ...said('Bo', 'billing tables'),
      ...said('Cy', 'storage volumes'),
    ];
    expect(await overviewOf(talk)).toMatch(
      /^The meeting covered [\w ,]+; \w+, \w+ and \w+ spoke most\. (?:Ada|Bo|Cy) said that /,
    );
    expect(await overviewOf(said('Ada', 'backup server'))).toMatch(
      /^Ada spoke about backup server\. Ada said that /,
    );
  });

  it('does without names of speakers', async () => {
    const text = 'We agreed to run the database migration on Saturday night.';
    expect(await overviewOf([['', text]])).toContain(
      'Someone said that they agreed to run the database migration on Saturday night.',
    );
  });

  it('reports in German for German', async () => {
    const content = await overviewOf(
      [
        ['Eva', 'Wir haben beschlossen, den Umzug der Datenbank in der Nacht zu machen.'],
        ['Jan', 'Ich werde die Sicherung der Datenbank bis Donnerstag prüfen.'],
      ],
      'de-DE',
    );
    expect(content).toContain(
      'Eva sagte: Sie haben beschlossen, den Umzug der Datenbank in der Nacht zu machen.',
    );
    expect(content).not.toMatch(/\b(?:ich|wir|said|that|and|meeting)\b/i);
  });

  it.each([
    ['fr', 'Nous avons décidé de garder la base de données dans le port du nord.'],
    ['ja', 'データベースの移行は土曜日の夜に行うことになりました。'],
    ['xx', 'Vi beslutade att behålla den gamla teknikhallen i norra hamnen.'],
  ])('quotes in other languages, without a word of another: %s', async (language, text) => {
    expect(await overviewOf([['Ada', text]], language)).toBe(`Ada (0:00): "${text}"`);
  });

  it('escapes names and has at most 120 words', async () => {
    const name = `<b>*${'Ada '.repeat(40)}`;
    const content = await overviewOf([
      [name, 'We agreed to run the [database](https://evil.example) migration on Saturday night.'],
    ]);
    expect(content).toContain('\\<b\\>\\*Ada');
    expect(content).toContain('\\[database\\](https\\://evil.example)');
    expect(content.split(' ').length).toBeLessThanOrEqual(120);
  });
});
