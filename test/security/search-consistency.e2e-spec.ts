import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  record,
  propertyOptions,
} from '../support/properties.js';
import { SearchIndexService } from '../../src/modules/search/index/search-index.service.js';
import { insertRows } from '../factories/worlds.js';
import { keyOf } from '../factories/workspace.js';
import { startService, type TestService } from '../support/service.js';
import { NOW, randomWorld, writeWorld, type ModelRecording, type RandomWorld } from './random-world.js';

/** More in `test/long/random-worlds.e2e-spec.ts`. */
const OPTIONS = propertyOptions(4, 8_000, 200);

/** Content of a recording besides its title; recurring, so that any word may occur anywhere. */
const contents = array(
  record({
    notes: constantFrom('', 'alpha', 'bravo alpha'),
    summary: constantFrom(null, 'processing', 'completed', 'completed'),
    summaryWord: constantFrom('alpha', 'charlie'),
    transcriptWord: constantFrom('bravo', 'charlie', 'alpha bravo'),
  }),
  { minLength: 14, maxLength: 14 },
);
type Content = (typeof contents extends { generate: (...given: never[]) => { value: infer T } }
  ? T
  : never)[number];

/** Words that a user can read in one recording. */
type Readable = ReadonlySet<string>;

interface Question {
  readonly q: string;
  readonly holds: (words: Readable) => boolean;
  /** What is found if that holds nowhere. */
  readonly partly?: (words: Readable) => boolean;
}

const QUESTIONS: readonly Question[] = [
  { q: 'sync', holds: (words) => words.has('sync') },
  { q: 'alpha', holds: (words) => words.has('alpha') },
  { q: 'bravo', holds: (words) => words.has('bravo') },
  { q: 'charlie', holds: (words) => words.has('charlie') },
  {
    q: 'sync bravo',
    holds: (words) => words.has('sync') && words.has('bravo'),
    partly: (words) => words.has('sync') || words.has('bravo'),
  },
  { q: 'sync -bravo', holds: (words) => words.has('sync') && !words.has('bravo') },
  { q: 'alpha -charlie', holds: (words) => words.has('alpha') && !words.has('charlie') },
  { q: 'week* OR charlie', holds: (words) => words.has('weekly') || words.has('charlie') },
];

describe('in any world', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    service.setNow(NOW);
  });
  afterAll(() => service.stop());

  it('search finds exactly the words that get and transcript show', async () => {
    const property = asyncProperty(randomWorld, contents, async (world, given) => {
      const written = await writeWorld(service.dataSource, world);
      await writeContents(world, written.recordings, given);
      await Promise.all(
        written.keys.map(async ({ name }) => {
          const shown = new Map<string, Readable>();
          for (const recording of written.recordings) {
            const words = await readBy(name, recording);
            if (words) shown.set(recording.id, words);
          }
          for (const { q, holds, partly = () => false } of QUESTIONS) {
            const having = (condition: Question['holds']) =>
              [...shown].filter(([, words]) => condition(words)).map(([id]) => id);
            const full = having(holds);
            const expected = full.length > 0 ? full : having(partly);
            expect([q, (await found(name, q)).sort()]).toEqual([q, expected.sort()]);
          }
        }),
      );
    });
    await assert(property, OPTIONS);
  }, 90_000);

  /** Every word that the user can read in the recording; null if it is hidden. */
  async function readBy(name: string, recording: ModelRecording): Promise<Readable | null> {
    const api = service.api.as(keyOf(name));
    const detail = await api.get(`/recordings/${recording.id}`);
    if (detail.status === 404) return null;
    const texts = [recording.title];
    if (detail.status === 200) {
      const { notes, summary } = detail.body.data;
      texts.push(notes ?? '', summary.content ?? '');
      const transcript = await api.get(`/recordings/${recording.id}/transcript`);
      const segments: { text: string }[] = transcript.body.data?.segments ?? [];
      texts.push(...segments.map(({ text }) => text));
    }
    return new Set(texts.join(' ').toLowerCase().split(/\s+/));
  }

  async function found(name: string, q: string): Promise<string[]> {
    const path = `/recordings/search?limit=100&q=${encodeURIComponent(q)}`;
    const { status, body } = await service.api.as(keyOf(name)).get(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    expect([body.pagination.total, body.did_you_mean]).toEqual([body.data.length, null]);
    return body.data.map(({ id, matches }: { id: string; matches: unknown[] }) => {
      expect([id, matches.length > 0]).toEqual([id, true]);
      return id;
    });
  }

  async function writeContents(
    world: RandomWorld,
    recordings: readonly ModelRecording[],
    given: readonly Content[],
  ): Promise<void> {
    const { dataSource } = service;
    const rows = recordings.map(({ id }, index) => ({
      id,
      transcript: world.recordings[index]?.transcript,
      ...given[index]!,
    }));
    for (const { id, notes } of rows) {
      await dataSource.query('UPDATE recordings SET notes = $2 WHERE id = $1', [id, notes]);
    }
    await insertRows(
      dataSource,
      'summaries',
      rows.flatMap(({ id, summary, summaryWord }) =>
        summary ? [{ recording_id: id, status: summary, content: summaryWord, topics: [] }] : [],
      ),
    );
    const transcribed = rows.filter(({ transcript }) => transcript);
    await insertRows(
      dataSource,
      'transcript_chunks',
      transcribed.map(({ id, transcriptWord: text }) => ({
        recording_id: id,
        chunk_index: 0,
        segments: [{ id: 0, start: 0, end: 1, text, speaker: 'Ada', confidence: 1 }],
      })),
    );
    await dataSource.query('UPDATE transcripts SET segments_count = 1 WHERE recording_id = ANY ($1)', [
      transcribed.map(({ id }) => id),
    ]);
    await dataSource.transaction(async (manager) => {
      const index = service.app.get(SearchIndexService, { strict: false });
      for (const { id } of rows) await index.refresh(manager, id, { texts: true, transcript: true });
    });
  }
});
