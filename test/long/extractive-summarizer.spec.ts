import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { summarizeExtractively } from '../../src/lib/extractive-summary/extractive-summary.js';
import { lexemesOf } from '../../src/modules/search/index/public/lexemes.queries.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import type { SpokenSegment } from '../../src/lib/transcript-formats/transcript.js';
import type { GeneratedSummary } from '../../src/lib/extractive-summary/summary.js';

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

type Said = readonly [speaker: string, text: string];

/** Ten seconds each. */
const segmentsOf = (said: readonly Said[]): SpokenSegment[] =>
  said.map(([speaker, text], id) => ({ id, start: id * 10, end: id * 10 + 9, speaker, text }));

function summarize(said: readonly Said[], language: string | null = 'en'): Promise<GeneratedSummary> {
  return summarizeExtractively(
    {
      title: 'Call',
      language,
      speakers: [...new Set(said.map(([speaker]) => speaker))].filter((speaker) => speaker !== ''),
      segments: segmentsOf(said),
    },
    (texts) => lexemesOf(dataSource, language, texts),
  );
}

const DATABASE: readonly Said[] = [
  ['Ada', 'The database migration copies every table into the new PostgreSQL cluster.'],
  ['Bo', 'The replication of the PostgreSQL cluster lags behind when the migration copies large tables.'],
  ['Ada', 'Large tables are copied in batches, so the replication of the cluster can catch up.'],
  ['Bo', 'What happens to the indexes of the database during the migration?'],
  ['Ada', 'Indexes are built after the migration, as building them slows the database down.'],
  ['Cy', 'The backup of the database cluster has to be tested before the migration begins.'],
  ['Ada', 'We agreed to run the database migration on Saturday night, when nobody writes to the tables.'],
  ['Bo', 'Replication slots of the old PostgreSQL cluster are removed a day after the migration.'],
  ['Cy', 'I will test the backup of the PostgreSQL cluster by Thursday.'],
  ['Ada', 'The tables of the billing database are the largest part of the migration.'],
  ['Bo', 'Billing tables take four hours to copy into the new cluster.'],
  ['Ada', 'Then the migration of the database takes five hours with its indexes.'],
];
const MARKETING: readonly Said[] = [
  ['Cy', 'The advertising campaign for the spring catalogue reached two hundred thousand customers.'],
  [
    'Dee',
    'Customers of the spring catalogue clicked on the newsletter more than on the advertising campaign.',
  ],
  ['Cy', 'The newsletter costs a tenth of what the advertising campaign does.'],
  ['Dee', 'Photos of the catalogue are what customers of the newsletter click on.'],
  ['Cy', 'A second newsletter about the spring catalogue goes to customers who did not open the first.'],
  ['Dee', 'The budget of the advertising campaign is spent by the end of April.'],
  ['Cy', 'The photographer of the catalogue asks for a larger budget for the autumn campaign.'],
  ['Dee', 'Customers like the photos, so the budget of the photographer is worth it.'],
  ['Cy', 'The plan is to move half of the advertising budget to the newsletter.'],
  ['Dee', 'Then the newsletter needs an editor who writes for customers every week.'],
  ['Cy', 'An editor of the catalogue can write the newsletter as well.'],
  ['Dee', 'The autumn catalogue and its campaign start in September.'],
];

const all = ({ topics }: GeneratedSummary) =>
  topics.flatMap(({ keyPoints }) => keyPoints.flatMap(({ point, details }) => [point, ...details]));

describe('summaries without a model', () => {
  it('separates subjects and names them by their words', async () => {
    const { topics } = await summarize([...DATABASE, ...MARKETING]);
    const border = topics.findIndex(({ start }) => start === 120);
    expect(border).toBeGreaterThan(0);
    const titles = topics.map(({ title }) => title.toLowerCase());
    expect(titles.slice(0, border).join()).toMatch(/migration|database|cluster|tables/);
    expect(titles.slice(border).join()).toMatch(/newsletter|catalogue|campaign|budget/);
    expect(titles.slice(0, border).join()).not.toMatch(/newsletter|catalogue|campaign/);
  });

  it('lists decisions and action items, with the segments they rest on', async () => {
    const { content, decisions, actionItems } = await summarize([...DATABASE, ...MARKETING]);
    // The topics, decisions and action items stand beside it.
    expect(content).not.toContain('#');
    expect(decisions).toEqual([
      {
        text: 'We agreed to run the database migration on Saturday night, when nobody writes to the tables.',
        start: 60,
        segmentIds: [6],
        confidence: null,
      },
      {
        text: 'The plan is to move half of the advertising budget to the newsletter.',
        start: 200,
        segmentIds: [20],
        confidence: null,
      },
    ]);
    expect(actionItems).toEqual([
      {
        text: 'I will test the backup of the PostgreSQL cluster by Thursday.',
        start: 80,
        segmentIds: [8],
        confidence: null,
        owner: 'Cy',
        due: 'by Thursday',
      },
    ]);
  });

  it.each<[said: string, answer: string, owner: string | null, due: string | null]>([
    [
      'Ada, can you review the indexes of the billing database by Friday?',
      'Okay.',
      'Ada Lovelace',
      'by Friday',
    ],
    ['Ada will update the indexes of the billing database tomorrow.', 'Great.', 'Ada Lovelace', 'tomorrow'],
    ['Could you review the indexes of the billing database, Ada?', 'Great.', 'Ada Lovelace', null],
    ['Can you review the indexes of the billing database?', 'I will, no problem.', 'Ada Lovelace', null],
    [
      "I'll review the indexes of the billing database before the next meeting.",
      'Okay.',
      'Bo',
      'before the next meeting',
    ],
    ['We will review the indexes of the billing database next week.', 'Okay.', null, 'next week'],
    ['Please review the indexes of the billing database by May 5.', 'Okay.', null, 'by May 5'],
    ['Please review the indexes of the billing database, as this may break.', 'Okay.', null, null],
  ])('knows who is to do it by when: %s', async (text, answer, owner, due) => {
    const { actionItems } = await summarize([
      ...MARKETING,
      ['Bo', text],
      ['Ada Lovelace', answer],
      ...MARKETING.slice(0, 6),
    ]);
    expect(actionItems).toEqual([{ text, start: 120, segmentIds: [12], confidence: null, owner, due }]);
  });

  it.each([
    'How will we test the backup of the PostgreSQL cluster?',
    'I wonder how we will test the backup of the PostgreSQL cluster.',
    'If we agreed to run the migration on Saturday, nobody would write to the tables.',
    'Last year they wanted us to run the migration of the database on Saturday night.',
  ])('takes no question, condition or report for a decision or an action item: %s', async (text) => {
    const { decisions, actionItems } = await summarize([...DATABASE.slice(0, 5), ['Bo', text]]);
    expect([...decisions, ...actionItems]).toEqual([]);
  });

  it('quotes others in the details of a point', async () => {
    const { topics } = await summarize([...DATABASE, ...MARKETING]);
    const points = topics.flatMap(({ keyPoints }) => keyPoints).filter(({ details }) => details.length > 0);
    expect(points.length).toBeGreaterThan(3);
    for (const { point, details } of points) {
      const [speaker] = point.split(':');
      expect(details.some((detail) => !detail.startsWith(speaker!))).toBe(true);
    }
  });

  it('names nobody where two people have the name', async () => {
    const { actionItems } = await summarize([
      ...MARKETING,
      ['Ada Lovelace', 'The indexes of the billing database are slow.'],
      ['Bo', 'Ada, can you review the indexes of the billing database by Friday?'],
      ['Ada Byron', 'They were built in May.'],
    ]);
    expect(actionItems).toMatchObject([{ owner: null, due: 'by Friday' }]);
  });

  it('leaves out small talk and fillers', async () => {
    const summary = await summarize([
      ['Ada', 'Can everyone hear me and see the screen with the database migration?'],
      ['Bo', "Let's wait a couple of minutes for people who want to join the database migration call."],
      ...DATABASE,
      ['Bo', 'Um, okay, so, you know, the firewall of the new cluster blocks the replication port, right?'],
      ['Bo', 'Thank you everyone for joining the database migration call, have a great day.'],
    ]);
    const quotes = all(summary).join('\n');
    expect(quotes).not.toMatch(/hear me|wait a couple|Thank you|Um,/);
    expect(quotes).toContain('The firewall of the new cluster blocks the replication port');
  });

  it('joins sentences split by captions, across an "okay" of another speaker', async () => {
    const summary = await summarize([
      ['Ada', 'The database migration copies every table,'],
      ['Bo', 'Okay.'],
      ['Ada', 'including the archive of the billing department.'],
    ]);
    expect(summary.topics).toEqual([
      {
        title: expect.stringMatching(/./),
        start: 0,
        keyPoints: [
          {
            point:
              'Ada: The database migration copies every table, including the archive of the billing department.',
            start: 0,
            details: [],
          },
        ],
      },
    ]);
  });

  it.each([
    [
      'nothing but fillers',
      [
        ['Ada', 'Um, yeah.'],
        ['Bo', '…'],
        ['Ada', 'Okay. Okay.'],
      ],
    ],
    ['nothing but spaces', [['Ada', ' \n ']]],
  ] satisfies [string, Said[]][])('says so when there is %s to summarize', async (_, said) => {
    expect(await summarize(said)).toEqual({
      content: 'Nothing was said that could be summarized.',
      topics: [],
      decisions: [],
      actionItems: [],
    });
  });

  it('escapes markup in names and text', async () => {
    const said: Said[] = [
      [
        '**[x](javascript:y)**',
        '<script>alert(1)</script> The database **migration** copies [tables](https://evil.example).',
      ],
      ['<b>', '# The `replication` of the database | cluster lags behind the migration of tables.'],
    ];
    const summaries = await Promise.all(said.map((one) => summarize([one])));
    const content = summaries.map((summary) => summary.content).join('\n');
    expect(content).not.toMatch(/(^|[^\\])[<>[\]*`|#_]/m);
    expect(content).toContain('\\<script\\>alert(1)\\</script\\>');
    expect(content).toContain('\\[tables\\](https\\://evil.example)');
  });

  it('uses German for a German transcript', async () => {
    const { content, topics, decisions, actionItems } = await summarize(
      [
        ['Eva', 'Hallo zusammen, könnt ihr mich hören?'],
        ['Eva', 'Die Datenbank wird am Samstag auf den neuen Server umgezogen.'],
        ['Jan', 'Der Umzug der Datenbank dauert mit den Tabellen der Buchhaltung vier Stunden.'],
        ['Eva', 'Wir haben beschlossen, den Umzug der Datenbank in der Nacht zu machen.'],
        ['Jan', 'Ich werde die Sicherung der Datenbank bis Donnerstag auf dem Server prüfen.'],
        ['Eva', 'Ohne Sicherung fängt der Umzug der Tabellen nicht an.'],
        ['Jan', 'Der alte Server läuft nach dem Umzug der Datenbank noch eine Woche.'],
        ['Eva', 'Die Buchhaltung schreibt in der Nacht nicht in die Tabellen.'],
      ],
      'de-DE',
    );
    expect(decisions.map(({ text }) => text)).toEqual([
      'Wir haben beschlossen, den Umzug der Datenbank in der Nacht zu machen.',
    ]);
    expect(actionItems).toEqual([
      {
        text: 'Ich werde die Sicherung der Datenbank bis Donnerstag auf dem Server prüfen.',
        start: 40,
        segmentIds: [4],
        confidence: null,
        owner: 'Jan',
        due: 'bis Donnerstag',
      },
    ]);
    expect(content).not.toContain('könnt ihr mich');
    expect(topics[0]!.title).toMatch(/Umzug|Datenbank|Server|Tabellen/);
  });

  it.each([null, 'zh', 'xx', 'not a language'])('works for an unsupported language, %j', async (language) => {
    const { topics } = await summarize([...DATABASE, ...MARKETING], language);
    expect(topics.length).toBeGreaterThan(1);
    expect(topics.every(({ title, keyPoints }) => title !== '' && keyPoints.length > 0)).toBe(true);
  });

  it('handles twenty thousand segments in seconds, even of a single speaker', async () => {
    const subjects = [...DATABASE, ...MARKETING];
    const said = Array.from(
      { length: 20_000 },
      (_, index) => ['Ada', `${subjects[Math.floor(index / 900) % 24]![1]} That was ${index}.`] as const,
    );
    const { content, topics } = await summarize(said);
    expect(topics.length).toBeGreaterThan(3);
    expect(content.length).toBeLessThan(8_000);
  });
});
