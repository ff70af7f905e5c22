import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, transcript, user } from '../../factories/workspace.js';
import { refusal } from '../../support/client.js';
import { saying, searchAs } from '../../support/found.js';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const said = (language: string | null, ...texts: readonly string[]) =>
  saying(language, ...texts.map((text, index) => [index % 2 === 0 ? 'Ada' : 'Grace', text] as const));

const search = async (name: string, q: string, more = {}) => (await searchAs(service, name, q, more)).data;
const titles = async (name: string, q: string, more = {}): Promise<string[]> =>
  (await search(name, q, more)).map(({ title }) => title);

describe('search', () => {
  const weekly = recording('Ada', {
    title: 'Weekly sync',
    notes: 'Remember the <b>milk</b> & "honey"',
    createdAt: '2026-03-01T10:00:00.000Z',
    transcript: said(
      'en',
      'Good morning everybody.',
      'We moved the budgets to the next quarter.',
      'Thank you, bye.',
    ),
    summary: {
      content: '## Decisions\n\n- Ship it',
      topics: [{ title: 'Launch', keyPoints: [{ point: 'On Friday', details: ['All tests are green'] }] }],
    },
  });
  const german = recording('Ada', {
    title: 'Planung',
    createdAt: '2026-03-02T10:00:00.000Z',
    transcript: said('de-AT', 'Die Häuser wurden verkauft.', 'Danke.'),
  });
  const plain = recording('Ada', {
    title: 'Offsite',
    createdAt: '2026-03-03T10:00:00.000Z',
    transcript: said(null, 'Quokkas everywhere, said the quokka.'),
  });
  beforeAll(() => service.import({ users: [user('Ada')], recordings: [weekly, german, plain] }));

  it('covers title, notes, summary with its topics, and transcript', async () => {
    for (const q of ['weekly', 'milk', 'ship', 'launch', 'friday', 'green', 'quarter']) {
      expect([q, await titles('Ada', q)]).toEqual([q, ['Weekly sync']]);
    }
    expect(await titles('Ada', 'zanzibar')).toEqual([]);
  });

  it('returns the best segment with its time, its speaker and the hit marked, in any form of the word', async () => {
    const [found] = await search('Ada', 'budget');
    expect(found).toEqual({
      id: weekly.id,
      status: 'COMPLETED',
      title: 'Weekly sync',
      createdAt: '2026-03-01T10:00:00.000Z',
      thumbnailUrl: null,
      progress: 1,
      media: 'none',
      duration: null,
      owner: { id: expect.any(String), name: 'Ada' },
      organizationId: null,
      folderId: null,
      externalId: null,
      metadata: {},
      retentionEndsAt: null,
      retentionRule: null,
      capabilities: {
        canDownload: true,
        canShare: true,
        canViewTranscription: true,
        canGenerateSummary: true,
        canAskQuestions: true,
      },
      capabilityReasons: {},
      matched: 'full',
      score: expect.any(Number),
      matches: [
        {
          source: 'transcript',
          segmentId: 1,
          start: 10,
          end: 19.5,
          speaker: 'Grace',
          snippet: 'We moved the <mark>budgets</mark> to the next quarter.',
        },
      ],
    });
  });

  it('stems words in the language of the transcript', async () => {
    expect(await titles('Ada', 'haus')).toEqual(['Planung']);
    // Without a language, words are not stemmed.
    expect((await search('Ada', 'quokka')).flatMap(({ matches }) => matches)).toEqual([
      expect.objectContaining({ snippet: 'Quokkas everywhere, said the <mark>quokka</mark>.' }),
    ]);
  });

  it('returns snippets of bounded length, however long the words are', async () => {
    const words = `${'a'.repeat(99)} `.repeat(90);
    const noted = recording('Ada', { notes: `${words} wombat ${words} wombat` });
    const segment = { start: 0, end: 1, text: `wombat ${words} wombat` };
    const spoken = recording('Ada', { transcript: { language: 'en', segments: [segment] } });
    await service.import({ recordings: [noted, spoken] });
    const found = await search('Ada', 'wombat');
    const snippets = found.flatMap(({ matches }) => matches.map(({ snippet }) => snippet));
    expect(snippets).toHaveLength(2);
    for (const snippet of snippets) {
      expect(snippet).toContain('<mark>wombat</mark>');
      expect(snippet.length).toBeLessThanOrEqual(1_100);
    }
  });

  it('returns snippets as HTML with mark as the only element', async () => {
    const [found] = await search('Ada', 'milk');
    expect(found?.matches).toEqual([
      {
        source: 'notes',
        segmentId: null,
        start: null,
        end: null,
        speaker: null,
        snippet: 'Remember the &lt;b&gt;<mark>milk</mark>&lt;/b&gt; &amp; &quot;honey&quot;',
      },
    ]);
  });

  it.each([
    ['budget OR quokka', ['Offsite', 'Weekly sync']],
    ['"next quarter"', ['Weekly sync']],
    ['"quarter next"', []],
    ['"everybody we moved"', ['Weekly sync']],
    ['budg*', ['Weekly sync']],
    // Without a language there are no stop words.
    ['the', ['Offsite']],
    ['budget -quarter', []],
    ['-zanzibar', []],
    ['we', []],
    ['the budget', ['Weekly sync']],
    ['HÄUSER', ['Planung']],
    ['weekly milk ship quarter', ['Weekly sync']],
  ])('evaluates %s', async (q, expected) => {
    expect((await titles('Ada', q)).sort()).toEqual(expected);
  });

  it.each([
    ['', /q: is required and must be a string of 1 to 200 characters/],
    [`?q=${'x'.repeat(201)}`, /q: must be a string of 1 to 200 characters/],
    [`?q=${'a+'.repeat(21)}`, /q: must have at most 20 words and phrases/],
    ['?q=a&folder_id=x', /folder_id: requires organization_id/],
  ])('rejects %s', async (query, message) => {
    const { status, body } = await service.api.as(keyOf('Ada')).get(`/recordings/search${query}`);
    expect(status).toBe(400);
    expect(body).toEqual(refusal('VALIDATION_ERROR', expect.stringMatching(message)));
  });
});

describe('ranking and pagination', () => {
  const many = Array.from({ length: 25 }, (_, number) =>
    recording('Bea', {
      title: `Meeting ${number}`,
      createdAt: new Date(Date.UTC(2026, 2, 1 + (number % 5))).toISOString(),
      transcript: said('en', 'Nothing but wombats.'),
    }),
  );
  const filler = Array.from({ length: 60 }, (_, n) => `Filler number ${n} goes on and on.`);
  const ranked = [
    recording('Bea', { title: 'Otters in the title', transcript: said('en', 'Hello.') }),
    recording('Bea', { title: 'B', summary: { content: 'All about otters.', topics: [] } }),
    recording('Bea', { title: 'C', notes: 'otters' }),
    recording('Bea', { title: 'D', transcript: said('en', 'Otters here.', ...filler, 'Otters there.') }),
    recording('Bea', { title: 'Near', transcript: said('en', 'Lions meet tigers.', ...filler) }),
    recording('Bea', { title: 'Far', transcript: said('en', 'Lions.', ...filler, 'Tigers.') }),
  ];
  beforeAll(() => service.import({ users: [user('Bea')], recordings: [...many, ...ranked] }));

  it('ranks titles first, then summaries, notes and transcripts', async () => {
    expect(await titles('Bea', 'otters')).toEqual(['Otters in the title', 'B', 'C', 'D']);
  });

  it('ranks words near each other higher, and shows where they are, in at most three segments', async () => {
    const found = await search('Bea', 'lions tigers');
    expect(found.map(({ title }) => title)).toEqual(['Near', 'Far']);
    expect(found[0]?.matches[0]?.snippet).toBe('<mark>Lions</mark> meet <mark>tigers</mark>.');
    expect((await search('Bea', 'filler'))[0]?.matches.length).toBe(3);
  });

  it('orders equal ranks newest first, and pages are stable', async () => {
    const whole = await search('Bea', 'wombat', { limit: '100' });
    const expected = [...many].sort((a, b) => {
      const [x, y] = [String(a['createdAt']), String(b['createdAt'])];
      return x === y ? (a.id < b.id ? -1 : 1) : x < y ? 1 : -1;
    });
    expect(whole.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    const paged = await Promise.all(
      [0, 7, 14, 21].map((offset) => search('Bea', 'wombat', { limit: '7', offset: String(offset) })),
    );
    expect(paged.flat().map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    const followed: string[] = [];
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ q: 'wombat', limit: '7', ...(cursor && { cursor }) });
      const { body } = await service.api.as(keyOf('Bea')).get(`/recordings/search?${query}`);
      followed.push(...body.data.map(({ id }: { id: string }) => id));
      expect(body.pagination.has_more).toBe(body.pagination.next_cursor !== null);
      cursor = body.pagination.next_cursor;
    } while (cursor);
    expect(followed).toEqual(expected.map(({ id }) => id));
    const past = await service.api.as(keyOf('Bea')).get('/recordings/search?q=wombat&offset=25');
    expect(past.body).toEqual({
      data: [],
      pagination: { total: 25, limit: 20, offset: 25, has_more: false, next_cursor: null },
      did_you_mean: null,
    });
  });

  it('refuses a cursor that no page gave, or beside an offset', async () => {
    const bea = service.api.as(keyOf('Bea'));
    const message = async (query: string) =>
      (await bea.get(`/recordings/search?q=wombat&${query}`)).body.error.message;
    const unknown = 'cursor: must be the unmodified next_cursor of a previous page';
    const { body } = await bea.get('/recordings?limit=1');
    expect(await message(`cursor=${body.pagination.next_cursor}`)).toBe(unknown);
    expect(await message(`cursor=${Buffer.from('after -1').toString('base64url')}`)).toBe(unknown);
    const next = Buffer.from('after 7').toString('base64url');
    expect(await message(`cursor=${next}&offset=7`)).toBe('cursor: must not be combined with offset');
  });

  it('supports the filters of the list', async () => {
    expect((await titles('Bea', 'wombat', { date_from: '2026-03-05' })).length).toBe(5);
    expect(await titles('Bea', 'wombat', { status: 'ERROR' })).toEqual([]);
    expect((await titles('Bea', 'wombat', { status: 'COMPLETED' })).length).toBe(20);
    const unknown = await service.api
      .as(keyOf('Bea'))
      .get(`/recordings/search?q=a&organization_id=${many[0]?.id}`);
    expect([unknown.status, unknown.body]).toEqual([404, refusal('ORGANIZATION_NOT_FOUND')]);
  });
});

describe("other users' recordings", () => {
  const home = organization('Zoo', {
    features: { transcription: true },
    members: [
      member('Cleo', 'OWNER'),
      member('Dan', 'EDITOR'),
      member('Eve', 'ADMIN', { transcription: false }),
    ],
  });
  beforeAll(() =>
    service.import({
      users: [user('Cleo'), user('Dan'), user('Eve')],
      organizations: [home],
      recordings: [
        recording('Cleo', {
          organization: 'Zoo',
          title: 'Feeding',
          transcript: said('en', 'Pangolins eat ants.'),
        }),
        recording('Cleo', { title: 'Private', transcript: transcript(2), notes: 'pangolins' }),
      ],
    }),
  );

  it('are found only by users who can see them, in content they may read', async () => {
    expect((await titles('Cleo', 'pangolins')).sort()).toEqual(['Feeding', 'Private']);
    expect(await titles('Cleo', 'pangolins', { organization_id: home.id })).toEqual(['Feeding']);
    expect(await titles('Dan', 'pangolins')).toEqual([]);
    expect(await titles('Eve', 'pangolins')).toEqual([]);
    expect(await titles('Eve', 'feeding')).toEqual(['Feeding']);
  });

  it('are not revealed by excluding a word the caller cannot read', async () => {
    expect(await titles('Cleo', 'feeding -pangolins')).toEqual([]);
    expect(await titles('Eve', 'feeding -pangolins')).toEqual(['Feeding']);
    expect(await titles('Eve', 'feeding -elephants')).toEqual(['Feeding']);
  });
});
