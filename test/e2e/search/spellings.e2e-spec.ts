import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recording, user } from '../../factories/workspace.js';
import { saying, searchAs } from '../../support/found.js';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const meeting = (owner: string, title: string, language: string, text: string) =>
  recording(owner, { title, transcript: saying(language, ['Ada', text]) });

async function titles(name: string, q: string): Promise<string[]> {
  const { data } = await searchAs(service, name, q);
  expect(data.filter(({ matched }) => matched !== 'full')).toEqual([]);
  return data.map(({ title }) => title).sort();
}
async function snippet(name: string, q: string, title: string): Promise<string | undefined> {
  const { data } = await searchAs(service, name, q);
  return data.find((found) => found.title === title)?.matches[0]?.snippet;
}

describe('an identifier', () => {
  beforeAll(() =>
    service.import({
      users: [user('Ada')],
      recordings: [
        meeting('Ada', 'hyphen', 'en', 'We ship EIP-7702 next week.'),
        meeting('Ada', 'blank', 'en', 'Is EIP 7702 ready?'),
        meeting('Ada', 'joined', 'en', 'The EIP7702 wallets.'),
        meeting('Ada', 'number', 'en', 'So 7702 is merged.'),
        meeting('Ada', 'other', 'en', 'EIP-4844 shipped in 2024, on devnet-3.'),
        meeting('Ada', 'ticket', 'en', 'Look at JIRA-4711 and at S3.'),
        meeting('Ada', 'devnet', 'en', 'Devnet 3 is down, devnet4 too; 12,000 validators.'),
      ],
    }),
  );

  const ALL = ['blank', 'hyphen', 'joined', 'number'];
  it.each(['EIP-7702', 'EIP 7702', 'EIP7702', 'eip_7702', '7702', 'EIP\u20117702', '(EIP-7702)'])(
    'is found in all its spellings as %s',
    async (q) => {
      expect(await titles('Ada', q)).toEqual(ALL);
    },
  );

  it('ranks the whole identifier before its number alone', async () => {
    const { data } = await searchAs(service, 'Ada', 'EIP-7702');
    expect(data.at(-1)?.title).toBe('number');
  });

  it.each([
    ['S3', ['ticket']],
    // A short number alone is no name.
    ['devnet-3', ['devnet', 'other']],
    ['devnet 3', ['devnet', 'other']],
    ['EIP 2024', ['other']],
    ['12000 validators', ['devnet']],
    ['EIP77*', ['blank', 'hyphen', 'joined']],
    ['"EIP-7702 next"', ['hyphen']],
    ['7702 -EIP7702', ['number']],
  ])('%s finds %j', async (q, expected) => {
    expect(await titles('Ada', q)).toEqual(expected);
  });

  it('is marked in snippets as it is written', async () => {
    expect(await snippet('Ada', 'EIP 7702', 'hyphen')).toBe('We ship <mark>EIP-7702</mark> next week.');
    expect(await snippet('Ada', 'EIP-7702', 'joined')).toBe('The <mark>EIP7702</mark> wallets.');
    expect(await snippet('Ada', 'EIP7702', 'number')).toBe('So <mark>7702</mark> is merged.');
  });
});

describe('accents', () => {
  beforeAll(() =>
    service.import({
      users: [user('Bea')],
      recordings: [
        meeting('Bea', 'umlaut', 'de', 'Herr Müller wohnt in der Straße.'),
        meeting('Bea', 'digraph', 'de', 'Herr Mueller wohnt in der Strasse.'),
        meeting('Bea', 'english', 'en', 'Jo\u0308rg Müller had a café crème.'),
        meeting('Bea', 'french', 'fr', 'Le résumé de la réunion préférée.'),
        meeting('Bea', 'danish', 'da', 'Mødet med Kjær.'),
      ],
    }),
  );

  it.each([
    ['Müller', ['digraph', 'english', 'umlaut']],
    ['Mueller', ['digraph', 'english', 'umlaut']],
    ['Muller', ['digraph', 'english', 'umlaut']],
    ['cafe creme', ['english']],
    ['resume preferee', ['french']],
    ['Kjaer', ['danish']],
    ['modet', ['danish']],
  ])('%s finds %j', async (q, expected) => {
    expect(await titles('Bea', q)).toEqual(expected);
  });

  it('are marked although they were not typed', async () => {
    expect(await snippet('Bea', 'cafe creme', 'english')).toBe(
      'Jo\u0308rg Müller had a <mark>café</mark> <mark>crème</mark>.',
    );
    expect(await snippet('Bea', 'Mueller', 'umlaut')).toBe('Herr <mark>Müller</mark> wohnt in der Straße.');
  });
});

describe('compounds', () => {
  beforeAll(() =>
    service.import({
      users: [user('Cleo')],
      recordings: [
        meeting('Cleo', 'plan', 'de', 'Der Haushaltsplan ist da.'),
        meeting('Cleo', 'budget', 'de', 'Wir beraten den Haushalt.'),
        meeting('Cleo', 'law', 'de', 'Die Datenschutz-Grundverordnung gilt.'),
        meeting('Cleo', 'apart', 'en', 'We need a time lock for the block space.'),
        meeting('Cleo', 'together', 'en', 'The timelock protects blockspace.'),
        meeting('Cleo', 'hyphen', 'en', 'A time-lock it is.'),
      ],
    }),
  );

  it.each([
    ['Haushalt', ['budget', 'plan']],
    ['Verordnung', ['law']],
    ['time lock', ['apart', 'hyphen', 'together']],
    ['time-lock', ['apart', 'hyphen', 'together']],
  ])('%s finds %j', async (q, expected) => {
    expect(await titles('Cleo', q)).toEqual(expected);
  });

  it('rank lower than the word itself, and are marked', async () => {
    const { data } = await searchAs(service, 'Cleo', 'Haushalt');
    expect(data.map(({ title, matches }) => [title, matches[0]?.snippet])).toEqual([
      ['budget', 'Wir beraten den <mark>Haushalt</mark>.'],
      ['plan', 'Der <mark>Haushaltsplan</mark> ist da.'],
    ]);
  });

  it('are not looked for in languages that do not form them', async () => {
    await service.import({
      users: [user('Dan')],
      recordings: [
        meeting('Dan', 'order', 'en', 'Put it in order.'),
        meeting('Dan', 'disorder', 'en', 'Such a disorderly place.'),
      ],
    });
    expect(await titles('Dan', 'order')).toEqual(['order']);
  });
});

describe('punctuation outside ASCII', () => {
  it('is no part of a word', async () => {
    await service.import({
      users: [user('Eve')],
      recordings: [
        meeting('Eve', 'dots', 'en', 'About the budget… and the “forecast”—yes, that’s it 🎉party.'),
      ],
    });
    for (const q of ['budget', 'forecast', 'party', 'yes', '"budget and the forecast"']) {
      expect([q, await titles('Eve', q)]).toEqual([q, ['dots']]);
    }
  });
});

/** Nobody knows its language: a title, say, or two sentences. */
const said = (title: string, text: string) =>
  recording('Fay', { title, transcript: saying(null, ['Ada', text]) });

describe('without a detected language', () => {
  beforeAll(() =>
    service.import({
      users: [user('Fay')],
      recordings: [
        said('file', 'Put it into nginx.conf or C:\\etc\\hosts, v1.2.3, 3.5 and 10.0.0.1:80.'),
        said('url', 'It is at https://wiki.corp.example/Plan_B/x.html?draft=no now.'),
        said('mail', 'Write to ann.lee+news@corp.example today.'),
        said('comma', 'We have 1,250,000 users and 8,000 servers.'),
        said('other groups', 'Es sind 1.250.000 oder 1\u202f250\u202f000, also 1 250 000.'),
        said('plain', 'So 1250000 it is, in 2024 100 times.'),
        said('ligature', 'The \ufb01nal o\ufb03ce \u{1d413}alk.'),
        said('yo', 'Всё это ёмкий отчёт.'),
        said('ye', 'Все это емкий отчет.'),
        said('apart', 'Zoe\u0308 met Marek.'),
        said('alef', 'اجتماع أحمد، في مدرسة المستشفى'),
        said('bare', 'اجتماع احمد في مدرسه المستشفي'),
        said('vowels', 'قال مُحَمَّد إن الـمـيـزانـيـة ٢٠٢٦ جاهزة؟'),
        said('hebrew', 'קבענו שהישיבה בתקציב־המשנה.'),
        said('points', 'הַתַּקְצִיב שֶׁל דָּנָה, צה״ל'),
      ],
    }),
  );

  it.each([
    ['nginx', ['file']],
    ['nginx.conf', ['file']],
    ['"nginx conf"', ['file']],
    ['"conf nginx"', []],
    ['hosts', ['file']],
    ['v1.2.3', ['file']],
    ['3.5', ['file']],
    ['10.0.0.1', ['file']],
    ['corp.example', ['mail', 'url']],
    ['wiki', ['url']],
    ['https://wiki.corp.example/', ['url']],
    ['plan_b x.html', ['url']],
    ['lee news', ['mail']],
    ['ann.lee+news@corp.example', ['mail']],
    ['mail -corp.example', []],
    ['1250000', ['comma', 'other groups', 'plain']],
    ['1,250,000', ['comma', 'other groups', 'plain']],
    ['1.250.000', ['comma', 'other groups', 'plain']],
    ['1 250 000', ['comma', 'other groups', 'plain']],
    ['"1 250 000"', ['comma', 'other groups', 'plain']],
    ['2024 100', ['plain']],
    ['8000', ['comma']],
    ['final office talk', ['ligature']],
    ['o\ufb03*', ['ligature']],
    ['ёмкий', ['ye', 'yo']],
    ['емкий все', ['ye', 'yo']],
    ['ОТЧЁТ', ['ye', 'yo']],
    ['Zo\u00eb', ['apart']],
    ['zoe marek', ['apart']],
    ['أحمد', ['alef', 'bare']],
    ['احمد مدرسه', ['alef', 'bare']],
    ['المستشفي', ['alef', 'bare']],
    ['مستشفى', ['alef', 'bare']],
    ['محمد', ['vowels']],
    ['ميزانية 2026', ['vowels']],
    ['ישיבה', ['hebrew']],
    ['הישיבה', ['hebrew']],
    ['לישיבה', ['hebrew']],
    ['תקציב', ['hebrew', 'points']],
    ['הַתַּקְצִיב', ['hebrew', 'points']],
    ['תקציב דנה', ['points']],
    ['צה״ל', ['points']],
    ['שיבה', []],
    ['ـ*', []],
    ['ـ', []],
  ])('%s finds %j', async (q, expected) => {
    expect([q, await titles('Fay', q)]).toEqual([q, expected.toSorted()]);
  });

  it.each([
    ['nginx', 'file', 'Put it into <mark>nginx</mark>.conf or'],
    ['corp.example', 'mail', 'ann.lee+news@<mark>corp</mark>.<mark>example</mark> today'],
    ['1250000', 'comma', 'We have <mark>1</mark>,<mark>250</mark>,<mark>000</mark> users and 8,'],
    ['1,250,000', 'plain', 'So <mark>1250000</mark> it is'],
    ['final', 'ligature', 'The <mark>\ufb01nal</mark> o'],
    ['емкий', 'yo', 'Всё это <mark>ёмкий</mark> отчёт'],
    ['Zo\u00eb', 'apart', '<mark>Zoe\u0308</mark> met'],
    ['"zoe met"', 'apart', '<mark>Zoe\u0308</mark> <mark>met</mark> Marek'],
    ['احمد', 'alef', 'اجتماع <mark>أحمد</mark>، في'],
    ['محمد', 'vowels', 'قال <mark>مُحَمَّد</mark> إن'],
    ['ישיבה', 'hebrew', 'קבענו <mark>שהישיבה</mark> ב'],
    ['תקציב', 'points', '<mark>הַתַּקְצִיב</mark> שֶׁל'],
  ])('%s is marked in %s', async (q, title, expected) => {
    expect(await snippet('Fay', q, title)).toContain(expected);
  });
});
