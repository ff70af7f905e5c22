import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { textSearchConfig } from '../../../lib/language/text-search-config.js';
import { Clock } from '../../../platform/clock/clock.js';
import type { JobOwner } from '../../../platform/jobs/fair-share.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { WorkPool, WorkLimitError } from '../../../platform/work/work-pool.service.js';
import type { SearchSource } from './entities/search-entry.entity.js';
import { readIndexed, writeEntries, type EntriesToWrite } from './search-entries.hot.sql.js';
import { findNext, lockRecording, sweepVocabulary } from './search-index.queries.js';
import { DomainError } from '../../../contract/domain-error.js';
import { spacedStems } from '../../../lib/language/dense-words.js';
import { SEPARATE_WORDS } from './separate-words.task.js';
import { HOUR_MS } from '../../../lib/durations.js';

const TEXTS: readonly SearchSource[] = ['title', 'notes', 'summary'];
const ALL: readonly SearchSource[] = [...TEXTS, 'transcript'];

const REFRESH_JOB = 'search.refresh';
/** After what somebody waits for: the entries are valid meanwhile, but found where the recordings were before. */
const PRIORITY = 60;

interface Refresh {
  readonly recordingId: string;
}

const keyOf = ({ recordingId }: Refresh): string => `search:${recordingId}`;

const RESPELL_JOB = 'search.respell';
/** Recordings that a job looks at before the next one goes on. */
const RESPELLED = 100;

/** Of the recordings after the id `after`, the entries of those that were changed `since` then are spelled anew. */
interface Respelling {
  readonly since: string;
  readonly after: string;
}

const SWEEP_JOB = 'search.sweep-words';
/** The vocabulary is swept in this many parts, one an hour: all of it in a week. */
const PARTS = 7 * 24;

/**
 * The search index, written in the transaction that changes a text. It holds every text regardless of status: what may
 * be found is decided at the time of the search, by the access decision and the status at that moment.
 */
@Injectable()
export class SearchIndexService implements OnModuleInit {
  constructor(
    private readonly pool: WorkPool,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<Refresh>(REFRESH_JOB, ({ recordingId }) => this.rewrite(recordingId));
    this.jobs.handle<Respelling>(RESPELL_JOB, (part) => this.respell(part));
    this.jobs.handle(SWEEP_JOB, () => this.sweep(), { schedule: '23 * * * *' });
  }

  /** Writes the entries of a recording that the same transaction has created, without content. */
  async add(manager: EntityManager, recordingId: string): Promise<void> {
    const config = textSearchConfig(null);
    await this.write(manager, { recordingId, config, sources: TEXTS, chunk: null });
  }

  /**
   * Rewrites the entries of `texts` (title, notes and summary) or of the transcript, or all if the language has
   * changed. The transaction must hold the lock on the recording: concurrent writes of title and transcript could each
   * leave stale entries of the other.
   */
  async refresh(
    manager: EntityManager,
    recordingId: string,
    changed: { readonly texts?: true; readonly transcript?: true },
  ): Promise<void> {
    const { language, configs } = await readIndexed(manager, recordingId);
    const config = textSearchConfig(language);
    const named: SearchSource[] = [
      ...(changed.texts ? TEXTS : []),
      ...(changed.transcript ? (['transcript'] as const) : []),
    ];
    const sources = configs.every((used) => used === config) ? named : ALL;
    await this.write(manager, { recordingId, config, sources, chunk: null });
  }

  /** Rewrites the entry of one transcript chunk, with the recording locked. */
  async refreshChunk(manager: EntityManager, recordingId: string, chunk: number): Promise<void> {
    const config = textSearchConfig((await readIndexed(manager, recordingId)).language);
    await this.write(manager, { recordingId, config, sources: ['transcript'], chunk });
  }

  /**
   * Enqueues jobs that rewrite all entries, which takes seconds for a long meeting, in the transaction that moves
   * recordings to another organization: a search of it finds them shortly after. Each recording has at most one waiting
   * job, however often it is moved; `owner` is whose fair share they count towards.
   */
  async refreshLater(
    manager: EntityManager,
    recordingIds: readonly string[],
    owner?: JobOwner,
  ): Promise<void> {
    const payloads = recordingIds.map((recordingId) => ({ recordingId }));
    await this.jobs.enqueue(manager, REFRESH_JOB, payloads, { key: keyOf, owner, priority: PRIORITY });
  }

  /** Rewrites all entries of part of the recordings, and enqueues the rest: migrations begin with it where spelling changes. */
  private async respell(part: Respelling): Promise<void> {
    const { manager } = this.dataSource;
    const recordings = await findNext(manager, part, RESPELLED);
    // One that cannot be indexed now is tried again by a job of its own, and does not hold up the others.
    for (const { id } of recordings.filter(({ isChanged }) => isChanged))
      await this.rewrite(id).catch(() => this.refreshLater(manager, [id]));
    if (recordings.length < RESPELLED) return;
    const rest = { ...part, after: recordings.at(-1)!.id };
    await this.jobs.enqueue(manager, RESPELL_JOB, [rest], { priority: PRIORITY });
  }

  private rewrite(recordingId: string): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      await lockRecording(manager, recordingId);
      await this.refresh(manager, recordingId, { texts: true, transcript: true });
    });
  }

  /** Keeps the vocabulary small: sweeps the part of this hour. */
  async sweep(): Promise<void> {
    const part = Math.floor(this.clock.now().getTime() / HOUR_MS) % PARTS;
    await sweepVocabulary(this.dataSource.manager, part, PARTS);
  }

  private async write(manager: EntityManager, entries: EntriesToWrite): Promise<void> {
    const dense = await writeEntries(manager, entries);
    if (dense.length === 0) return;
    const texts = await separateWords(
      this.pool,
      entries.recordingId,
      dense.map(({ text }) => text),
    );
    await writeEntries(
      manager,
      entries,
      dense.map((one, index) => ({ ...one, text: texts[index] ?? '' })),
    );
  }
}

/** Fewer characters take a millisecond or two, less than handing them to a thread. */
const FEW = 2_000;
/** Characters that a thread separates at once: about half a second of its time. */
const BATCH = 1_000_000;
/** Time for all of a recording: a transaction waits, which PostgreSQL ends after a minute. */
const SECONDS = 45;
const TOO_SLOW = 'Indexing the text took too long. Try again later.';

/**
 * Separates the words of dense scripts by spaces, for PostgreSQL, which cannot. Returns the texts in the same order;
 * `recordingId` is whose share of the threads they count towards. Throws 503 `SERVICE_UNAVAILABLE` if it takes too
 * long.
 */
async function separateWords(
  pool: WorkPool,
  recordingId: string,
  texts: readonly string[],
): Promise<string[]> {
  if (lengthOf(texts) <= FEW) return texts.map(spacedStems);
  const signal = AbortSignal.timeout(SECONDS * 1000);
  const work = { caller: recordingId, seconds: SECONDS, signal, accepted: true };
  const separated: string[] = [];
  try {
    for (const batch of batches(texts)) separated.push(...(await pool.run(SEPARATE_WORDS, batch, work)));
  } catch (error) {
    if (signal.aborted || error instanceof WorkLimitError)
      throw new DomainError('SERVICE_UNAVAILABLE', TOO_SLOW, { cause: error });
    throw error;
  }
  return separated;
}

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);

function* batches(texts: readonly string[]): Generator<string[]> {
  let [batch, size]: [string[], number] = [[], 0];
  for (const text of texts) {
    if (size > 0 && size + text.length > BATCH) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(text);
    size += text.length;
  }
  yield batch;
}
