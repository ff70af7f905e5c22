import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SearchIndexService } from '../../src/modules/search/index/search-index.service.js';
import { keyOf, recording, transcript, user } from '../factories/workspace.js';
import { insertRows, recordingRow } from '../factories/worlds.js';
import { searchAs } from '../support/found.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;
let index: SearchIndexService;
const ada = user('Ada');
beforeAll(async () => {
  service = await startService();
  index = service.app.get(SearchIndexService, { strict: false });
  await service.import({ users: [ada] });
});
afterAll(() => service.stop());

const titles = async (q: string): Promise<string[]> =>
  (await searchAs(service, 'Ada', q)).data.map(({ title }) => title);

/** Inserts a recording's rows directly, with content no request could create, and indexes it. */
async function write(row: object, { content = '', segments = [] as string[] } = {}): Promise<string> {
  const made = recordingRow({ owner_id: ada.id, notes: '', ...row });
  const chunks = Array.from({ length: Math.ceil(segments.length / 20) }, (_, chunk) => ({
    recording_id: made.id,
    chunk_index: chunk,
    segments: segments.slice(chunk * 20, chunk * 20 + 20).map((text, place) => ({
      id: chunk * 20 + place,
      start: chunk * 20 + place,
      end: chunk * 20 + place + 1,
      text,
      speaker: 'Ada',
      confidence: 1,
    })),
  }));
  await insertRows(service.dataSource, 'recordings', [made]);
  await insertRows(service.dataSource, 'summaries', [
    { recording_id: made.id, status: 'completed', content, topics: [] },
  ]);
  await insertRows(service.dataSource, 'transcripts', [
    {
      recording_id: made.id,
      status: 'completed',
      language: 'en',
      speakers: [],
      segments_count: segments.length,
      duration: 1,
    },
  ]);
  await insertRows(service.dataSource, 'transcript_chunks', chunks);
  await refresh(made.id);
  return made.id;
}

const refresh = (id: string): Promise<void> =>
  service.dataSource.transaction((manager) => index.refresh(manager, id, { texts: true, transcript: true }));

const entries = (id?: string): Promise<object[]> =>
  service.dataSource.query(
    `SELECT recording_id, source, chunk_index, scope_id, config, words::text FROM search_entries
     WHERE recording_id = COALESCE($1, recording_id) ORDER BY 1, 2, 3`,
    [id],
  );

describe('the search index', () => {
  it('finds a new title and new notes immediately, and no longer the old ones', async () => {
    const item = recording('Ada', { title: 'Aardvark', notes: 'badger' });
    await service.import({ recordings: [item] });
    expect([await titles('aardvark'), await titles('badger')]).toEqual([['Aardvark'], ['Aardvark']]);
    await service.api.as(keyOf('Ada')).patch(`/recordings/${item.id}`, { title: 'Camel', notes: 'dingo' });
    expect([await titles('aardvark'), await titles('badger')]).toEqual([[], []]);
    expect([await titles('camel'), await titles('dingo')]).toEqual([['Camel'], ['Camel']]);
    await service.api.as(keyOf('Ada')).patch(`/recordings/${item.id}`, { notes: '' });
    expect([await titles('camel'), await titles('dingo')]).toEqual([['Camel'], []]);
  });

  it('finds the corrected text of a segment, and no longer the old text', async () => {
    const id = await write(
      { title: 'Corrections' },
      { segments: Array.from({ length: 50 }, () => 'Gibbons.') },
    );
    await service.dataSource.transaction(async (manager) => {
      await manager.query(
        `UPDATE transcript_chunks SET segments = '[{"id":40,"start":0,"end":1,"text":"Hamsters.","speaker":"","confidence":1}]'
         WHERE recording_id = $1 AND chunk_index = 2`,
        [id],
      );
      await index.refreshChunk(manager, id, 2);
    });
    const chunksOf = async (word: string) =>
      service.dataSource.query(
        `SELECT chunk_index FROM search_entries WHERE recording_id = $1 AND words @@ to_tsquery('english', $2) ORDER BY 1`,
        [id, word],
      );
    expect(await chunksOf('hamsters')).toEqual([{ chunk_index: 2 }]);
    expect(await chunksOf('gibbons')).toEqual([{ chunk_index: 0 }, { chunk_index: 1 }]);
    expect(await titles('hamster')).toEqual(['Corrections']);
  });

  it('keeps no entries of a longer, replaced transcript and reindexes everything in a new language', async () => {
    const id = await write({ title: 'Running' }, { segments: Array.from({ length: 45 }, () => 'Ibex.') });
    expect((await entries(id)).length).toBe(4);
    await service.dataSource.query(
      'DELETE FROM transcript_chunks WHERE recording_id = $1 AND chunk_index > 0',
      [id],
    );
    await service.dataSource.query(`UPDATE transcripts SET language = 'de' WHERE recording_id = $1`, [id]);
    await service.dataSource.transaction((manager) => index.refresh(manager, id, { transcript: true }));
    expect(await entries(id)).toEqual([
      expect.objectContaining({ source: 'title', config: 'german', words: `'running':1` }),
      expect.objectContaining({ source: 'transcript', chunk_index: 0, config: 'german' }),
    ]);
  });

  it('drops a deleted recording', async () => {
    const item = recording('Ada', { title: 'Koala', transcript: transcript(30) });
    await service.import({ recordings: [item] });
    expect(await titles('koala')).toEqual(['Koala']);
    await service.api.as(keyOf('Ada')).delete(`/recordings/${item.id}`);
    expect(await titles('koala')).toEqual([]);
    expect(await entries(item.id)).toEqual([]);
  });

  it('reflects the final state after concurrent updates', async () => {
    const id = await write({ title: 'Both' }, { segments: ['Lemurs.'] });
    await Promise.all(
      Array.from({ length: 10 }, (_, turn) =>
        service.dataSource.transaction(async (manager) => {
          if (turn % 2 === 0) {
            await manager.query('UPDATE recordings SET title = $2 WHERE id = $1', [id, `Turn${turn}`]);
            await index.refresh(manager, id, { texts: true });
          } else {
            const language = turn % 4 === 1 ? 'de' : 'en';
            // As every change of a text does.
            await manager.query('SELECT FROM recordings WHERE id = $1 FOR NO KEY UPDATE', [id]);
            await manager.query('UPDATE transcripts SET language = $2 WHERE recording_id = $1', [
              id,
              language,
            ]);
            await index.refresh(manager, id, { transcript: true });
          }
        }),
      ),
    );
    const indexed = await entries(id);
    await service.dataSource.query('DELETE FROM search_entries WHERE recording_id = $1', [id]);
    await refresh(id);
    expect(indexed).toEqual(await entries(id));
  });
});

describe('the vocabulary', () => {
  const inScope = async (): Promise<string[]> => {
    const rows: { word: string }[] = await service.dataSource.query(
      `SELECT word FROM search_words WHERE scope_id = $1 AND word LIKE 'vocab%' ORDER BY word`,
      [ada.id],
    );
    return rows.map(({ word }) => word);
  };

  it('is swept within a week of words that no longer occur, and of duplicates', async () => {
    await write({ title: 'Vocabstays Vocabstays' });
    const gone = await write({ title: 'Vocabgoes' });
    await service.dataSource.query(`INSERT INTO search_words VALUES ($1, 'vocabstays')`, [ada.id]);
    await service.dataSource.query('DELETE FROM recordings WHERE id = $1', [gone]);
    expect(await inScope()).toEqual(['vocabgoes', 'vocabstays', 'vocabstays']);
    for (let hour = 0; hour < 7 * 24; hour += 1) {
      service.setNow(new Date(Date.UTC(2026, 0, 1, hour)));
      await index.sweep();
    }
    expect(await inScope()).toEqual(['vocabstays']);
  });
});

describe('indexing hostile and huge texts', () => {
  const letters = (number: number) => number.toString(36);
  it.each([
    ['a word of 100,000 characters', 'x'.repeat(100_000)],
    [
      'pairs with hyphens',
      Array.from({ length: 14_000 }, (_, n) => `${letters(n)}-${letters(n + 1)}`).join(' '),
    ],
    [
      'four-byte characters',
      Array.from({ length: 50_000 }, (_, n) => String.fromCodePoint(0x20000 + (n % 40_000))).join(' '),
    ],
    ['quotes', `'"\\:*&|!`.repeat(12_000)],
  ])('accepts %s', async (name, text) => {
    const cut = (length: number) => text.slice(0, length).toWellFormed();
    const notes = cut(100_000);
    const id = await write(
      { title: `Hostile ${name}`, notes },
      { content: cut(200_000), segments: [cut(10_000), cut(10_000)] },
    );
    expect((await titles('hostile')).length).toBeGreaterThan(0);
    await service.dataSource.query('DELETE FROM recordings WHERE id = $1', [id]);
  });

  it('returns snippets quickly for a word that is everywhere and one at the very end', async () => {
    const notes = `${'needle '.repeat(14_000)}haystack`;
    for (let n = 0; n < 3; n += 1) await write({ title: `Long ${n}`, notes });
    const started = performance.now();
    const snippetOf = async (q: string) => {
      const { data } = await searchAs(service, 'Ada', q);
      expect(data.length).toBe(3);
      return data[0]?.matches[0]?.snippet;
    };
    expect(await snippetOf('needle')).toMatch(/^<mark>needle<\/mark> <mark>needle/);
    expect(await snippetOf('haystack')).toMatch(/needle <mark>haystack<\/mark>$/);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
