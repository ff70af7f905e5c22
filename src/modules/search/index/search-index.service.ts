import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { textSearchConfig } from '../../../lib/language/text-search-config.js';
import { Clock } from '../../../platform/clock/clock.js';
import type { JobOwner } from '../../../platform/jobs/fair-share.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { WorkPool } from '../../../platform/work/work-pool.service.js';
import type { SearchSource } from './entities/search-entry.entity.js';
import { readIndexed, writeEntries, type EntriesToWrite } from './search-entries.hot.sql.js';
import { lockRecording, sweepVocabulary } from './search-index.queries.js';
import { separateWords } from './separate-words.js';

/** Which texts of a recording changed: title, notes or summary, or the transcript. */
export interface ChangedTexts {
  readonly texts?: true;
  readonly transcript?: true;
}

const TEXTS: readonly SearchSource[] = ['title', 'notes', 'summary'];
const ALL: readonly SearchSource[] = [...TEXTS, 'transcript'];

const REFRESH_JOB = 'search.refresh';
/** After what somebody waits for: the entries are valid meanwhile, but found where the recordings were before. */
const PRIORITY = 60;

interface Refresh {
  readonly recordingId: string;
}

const keyOf = ({ recordingId }: Refresh): string => `search:${recordingId}`;

const SWEEP_JOB = 'search.sweep-words';
/** The vocabulary is swept in this many parts, one an hour: all of it in a week. */
const PARTS = 7 * 24;
const HOUR_MS = 3_600_000;

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
    this.jobs.handle<Refresh>(REFRESH_JOB, ({ recordingId }) =>
      this.dataSource.transaction(async (manager) => {
        await lockRecording(manager, recordingId);
        await this.refresh(manager, recordingId, { texts: true, transcript: true });
      }),
    );
    this.jobs.handle(SWEEP_JOB, () => this.sweep(), { schedule: '23 * * * *' });
  }

  /** Writes the entries of a recording that the same transaction has created, without content. */
  async add(manager: EntityManager, recordingId: string): Promise<void> {
    const config = textSearchConfig(null);
    await this.write(manager, { recordingId, config, sources: TEXTS, chunk: null });
  }

  /**
   * Rewrites the entries of the changed texts, or all entries if the language has changed. The transaction must hold
   * the lock on the recording: concurrent writes of title and transcript could each leave stale entries of the other.
   */
  async refresh(manager: EntityManager, recordingId: string, changed: ChangedTexts): Promise<void> {
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
