import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { saying, searchAs } from '../../support/found.js';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;
const blobs = recording('Ada', {
  title: 'Blobs',
  transcript: saying(
    'en',
    ['Jörg Müller', 'Good morning.'],
    ['Boma', 'We raise the blob count.'],
    ['Carl', 'Gas?'],
  ),
});
const gas = recording('Ada', {
  title: 'Gas',
  notes: 'blobs',
  transcript: saying('en', ['Boma', 'The gas limit stays.'], ['Jörg Müller', 'What about blobs?']),
});
const unnamed = recording('Ada', {
  title: 'Unnamed',
  transcript: saying('en', ['Speaker 1', 'Nothing to see here.'], ['Speaker 2', 'Boma was not there.']),
});

beforeAll(async () => {
  service = await startService();
  await service.import({ users: [user('Ada')], recordings: [blobs, gas, unnamed] });
});
afterAll(() => service.stop());

const titles = async (q: string, more = {}): Promise<string[]> =>
  (await searchAs(service, 'Ada', q, more)).data.map(({ title }) => title).sort();

describe('speakers', () => {
  it('are words of the index: their names find what they said', async () => {
    for (const q of ['joerg', '"Jörg Müller"', 'Müll*']) {
      expect([q, await titles(q)]).toEqual([q, ['Blobs', 'Gas']]);
    }
    const { data } = await searchAs(service, 'Ada', 'Jörg');
    expect(data.find(({ title }) => title === 'Blobs')?.matches).toEqual([
      {
        source: 'transcript',
        segmentId: 0,
        start: 0,
        end: 9.5,
        speaker: 'Jörg Müller',
        snippet: 'Good morning.',
      },
    ]);
  });

  it('may be asked for: what they said about something comes first', async () => {
    const { data } = await searchAs(service, 'Ada', 'what did Boma say about blobs?');
    expect(data.map(({ title, matched }) => [title, matched])).toEqual([
      ['Blobs', 'full'],
      ['Gas', 'full'],
      ['Unnamed', 'partial'],
    ]);
    const moment = data[0]?.matches.find(({ source }) => source === 'transcript');
    expect(moment).toMatchObject({ speaker: 'Boma', segmentId: 1 });
  });

  it('without a name are no words: "speaker" and "1" do not find every meeting', async () => {
    expect(await titles('speaker')).toEqual([]);
    expect(await titles('1')).toEqual([]);
  });

  it('are found by their new names once they are renamed', async () => {
    const body = { from: 'Carl', to: 'Xanthippe' };
    const { status } = await service.api
      .as(keyOf('Ada'))
      .patch(`/recordings/${blobs.id}/transcript/speakers`, body);
    expect(status).toBe(200);
    expect(await titles('Xanthippe')).toEqual(['Blobs']);
    expect(await titles('Carl')).toEqual([]);
  });
});

describe('speaker', () => {
  it.each([
    ['blobs', 'Boma', ['Blobs']],
    ['blobs', 'Jörg', ['Gas']],
    ['blobs', 'joerg mueller', ['Gas']],
    ['blobs', 'Müller Jörg', ['Gas']],
    ['blobs OR gas', 'Boma', ['Blobs', 'Gas']],
    ['gas -blobs', 'Boma', ['Gas']],
    ['nothing', 'Speaker 1', ['Unnamed']],
    ['nothing', 'Speaker', ['Unnamed']],
    ['blobs', 'Bo', []],
  ])('with %s restricts to what %s said', async (q, speaker, expected) => {
    expect(await titles(q, { speaker })).toEqual(expected);
  });

  it('shows only what that speaker said', async () => {
    const { data } = await searchAs(service, 'Ada', 'gas OR blobs', { speaker: 'Boma' });
    const shown = data.flatMap(({ title, matches }) =>
      matches.map(({ source, speaker }) => [title, source, speaker]),
    );
    expect(shown.sort()).toEqual([
      ['Blobs', 'transcript', 'Boma'],
      ['Gas', 'transcript', 'Boma'],
    ]);
  });
});
