import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { folder, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { refusal } from '../../support/client.js';
import { saying } from '../../support/found.js';
import { ChatRoute, json } from '../../support/openai-chat.js';
import { OpenAiServer } from '../../support/openai-server.js';
import { startService, type TestService } from '../../support/service.js';

const BOARD = folder('Board');
const ZOO = organization('Zoo', {
  members: [
    member('Ada', 'OWNER'),
    member('Bob', 'VIEWER'),
    member('Cleo', 'ADMIN', { questions: false }),
    member('Dan', 'ADMIN', { transcription: false }),
  ],
  folders: [BOARD],
});
const routes = recording('Ada', {
  title: 'Winter planning',
  createdAt: '2026-01-10T10:00:00.000Z',
  transcript: saying(
    'en',
    ['Ada', 'When do the winter routes start?'],
    ['Linus', 'On the first of December, two weeks later than we planned.'],
    ['Ada', 'Fine.'],
  ),
});
const depot = recording('Ada', {
  title: 'Depot',
  organization: 'Zoo',
  folder: 'Board',
  createdAt: '2026-02-10T10:00:00.000Z',
  transcript: saying(
    'en',
    ['Grace', 'The depot needs 14 mechanics before the winter.'],
    ['Ada', 'Who hires them?'],
  ),
});
const german = recording('Ada', {
  title: 'Planung',
  organization: 'Zoo',
  createdAt: '2026-02-11T10:00:00.000Z',
  transcript: saying('de', ['Jörg', 'Das Depot bekommt neue Garagen.'], ['Ada', 'Gut.']),
});
const hidden = recording('Ada', {
  title: 'Mechanics',
  organization: 'Zoo',
  notes: 'The depot has 99 mechanics.',
});
const world = {
  users: [user('Ada'), user('Bob'), user('Cleo'), user('Dan'), user('Fred', { plan: 'FREE' })],
  organizations: [ZOO],
  recordings: [
    routes,
    depot,
    german,
    hidden,
    recording('Fred', { title: 'Free', transcript: saying('en', ['Fred', 'The depot has 3 mechanics.']) }),
  ],
};

interface Citation {
  readonly recordingId: string;
  readonly title: string;
  readonly id: number;
  readonly start: number;
  readonly speaker: string;
  readonly quote: string;
}

describe('POST /questions', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await service.import(world);
  });
  afterAll(() => service.stop());

  const ask = (name: string, body: object) => service.api.as(keyOf(name)).post('/questions', body);
  async function cited(name: string, question: string, more: object = {}): Promise<Citation[]> {
    const { status, body } = await ask(name, { question, ...more });
    expect([question, status]).toEqual([question, 200]);
    return body.data.citations;
  }
  const titles = async (name: string, question: string, more: object = {}): Promise<string[]> =>
    [...new Set((await cited(name, question, more)).map(({ title }) => title))].sort();

  it('answers from any meeting, citing the recording, the segment and the speaker', async () => {
    const { status, body } = await ask('Ada', { question: 'How many mechanics does the depot need?' });
    expect(status).toBe(200);
    expect(body.data.mode).toBe('passages');
    expect(body.data.citations[0]).toEqual({
      recordingId: depot.id,
      title: 'Depot',
      id: 0,
      start: 0,
      end: 9.5,
      speaker: 'Grace',
      quote: 'The depot needs 14 mechanics before the winter.',
    });
    expect(body.data.answer).toContain(
      'Grace (Depot, 0:00): "The depot needs 14 mechanics before the winter."',
    );
  });

  it('reads meetings in their languages', async () => {
    expect(await titles('Ada', 'Wer baut Garagen im Depot?')).toContain('Planung');
  });

  it('says so where nothing matches', async () => {
    const { body } = await ask('Ada', { question: 'How tall is the Eiffel tower?' });
    expect(body.data).toEqual({
      mode: 'passages',
      answer: 'Nothing in the transcripts matches the question.',
      notice: 'Nothing that was said answers this.',
      citations: [],
    });
  });

  it.each(['Cleo', 'Dan', 'Fred'])('says that recordings of %s were left out', async (name) => {
    const { body } = await ask(name, { question: 'What about the depot?' });
    expect(body.data.answer).toBe(
      'Nothing in the transcripts matches the question. Recordings whose plan or feature flags do not include questions were left out.',
    );
  });

  it.each([
    ['Ada', ['Depot', 'Planung']],
    // A viewer sees what is in the folder.
    ['Bob', ['Depot']],
    // Questions are off for Cleo, transcription for Dan, and Fred's plan has no questions.
    ['Cleo', []],
    ['Dan', []],
    ['Fred', []],
  ])('reads only what %s may ask about', async (name, expected) => {
    expect(await titles(name, 'What about the depot?')).toEqual(expected);
  });

  it('takes the filters of the search', async () => {
    expect(await titles('Ada', 'winter')).toEqual(['Depot', 'Winter planning']);
    expect(await titles('Ada', 'winter', { organization_id: ZOO.id })).toEqual(['Depot']);
    expect(await titles('Ada', 'depot', { organization_id: ZOO.id, folder_id: BOARD.id })).toEqual(['Depot']);
    expect(await titles('Ada', 'winter', { date_to: '2026-01-31' })).toEqual(['Winter planning']);
    expect(await titles('Ada', 'depot', { status: 'ERROR' })).toEqual([]);
    expect(await titles('Ada', 'depot', { speaker: 'joerg' })).toEqual(['Planung']);
    const said = await cited('Ada', 'winter depot', { speaker: 'Grace' });
    expect(said.map(({ speaker }) => speaker)).toEqual(['Grace']);
  });

  it.each([
    [{}, 400, 'VALIDATION_ERROR', /question: is required/],
    [{ question: 'a', folder_id: BOARD.id }, 400, 'VALIDATION_ERROR', /folder_id: requires organization_id/],
    [{ question: 'a', limit: 1 }, 400, 'VALIDATION_ERROR', /limit/],
    [{ question: 'a', organization_id: routes.id }, 404, 'ORGANIZATION_NOT_FOUND', /./],
  ])('refuses %j', async (body, status, code, message) => {
    const refused = await ask('Ada', body);
    expect([refused.status, refused.body]).toEqual([
      status,
      { error: { code, message: expect.stringMatching(message) } },
    ]);
  });

  it('refuses to ask about an organization of others', async () => {
    const { status, body } = await ask('Fred', { question: 'a', organization_id: ZOO.id });
    expect([status, body]).toEqual([403, refusal('FORBIDDEN')]);
  });

  it.each(['"', 'OR', 'depot* -mechanics', 'a '.repeat(499)])('takes %j as words', async (question) => {
    expect((await ask('Ada', { question })).status).toBe(200);
  });
});

describe('POST /questions with a chat server', () => {
  const route = new ChatRoute();
  let server: OpenAiServer;
  let service: TestService;
  beforeAll(async () => {
    server = await OpenAiServer.start(route);
    service = await startService({ CHAT_URL: server.url, CHAT_MODEL: 'small' });
    await service.import(world);
  });
  afterEach(() => {
    expect(server.failures).toEqual([]);
    server.reset();
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  it('offers the segments of all meetings, and cites them as they are in their own', async () => {
    const quote = 'the depot needs 14 mechanics';
    let number = -1;
    route.reply((request) => {
      number = Number(/\[(\d+)\] The depot needs/.exec(JSON.stringify(request))?.[1]);
      return json({ citations: [{ segment_id: number, quote }], answer: 'Fourteen.', answered: true });
    });
    const { body } = await service.api
      .as(keyOf('Ada'))
      .post('/questions', { question: 'How many mechanics does the depot need before the winter?' });
    expect(body.data).toEqual({
      mode: 'written',
      answer: 'Fourteen.',
      notice: null,
      citations: [
        {
          recordingId: depot.id,
          title: 'Depot',
          id: 0,
          start: 0,
          end: 9.5,
          speaker: 'Grace',
          quote: expect.stringMatching(/^The depot needs 14 mechanics/),
        },
      ],
    });
    expect(number).toBeGreaterThan(0);
    expect(route.lastWords(0)).toContain('Linus in ');
  });
});
