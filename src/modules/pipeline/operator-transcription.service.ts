import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { isUuid } from '../../platform/ids.js';
import { isPlayable, RECORDING_STATUSES } from '../../policy/recording-status.js';
import {
  TranscriptionQueueService,
  type AutomaticStart,
  type Transcribable,
} from './transcription-queue.service.js';

export interface MissingReport {
  readonly started: number;
  /** The plan or a feature flag of the owner rules it out, or there is no owner. */
  readonly notAllowed: number;
}

interface MissingOptions {
  /** Of recordings for which none was given. */
  readonly language: string | null;
  /** `done` and `total` count recordings without a transcript. */
  readonly onProgress: (done: number, total: number) => void;
}

const PAGE_SIZE = 500;

/** Parameters: `$1` the playable statuses. */
const MISSING = `
  FROM recordings r WHERE r.status = ANY ($1) AND r.media_key IS NOT NULL
    AND NOT EXISTS (SELECT FROM transcripts t WHERE t.recording_id = r.id)`;
const PLAYABLE = RECORDING_STATUSES.filter(isPlayable);

/** Transcriptions that an operator starts. */
@Injectable()
export class OperatorTranscriptionService {
  constructor(
    private readonly queue: TranscriptionQueueService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Starts a transcription, the first one or a new one, whatever the plan of the owner. */
  async start(recordingId: string, language: string | null): Promise<void> {
    this.queue.requireTranscriber();
    const [row]: (Transcribable & Owned)[] = isUuid(recordingId)
      ? await this.dataSource.query(
          'SELECT id, status, media_key, owner_id, organization_id FROM recordings WHERE id = $1',
          [recordingId],
        )
      : [];
    if (!row) throw new DomainError('RECORDING_NOT_FOUND');
    await this.queue.startAgain(row, {
      language,
      owner: { userId: row.owner_id, organizationId: row.organization_id },
      unconditional: true,
    });
  }

  /**
   * Starts the transcription of every playable recording without a transcript, as far as the owner may, newest first. Each is
   * a transaction of its own, so it can be interrupted and run again.
   */
  async startMissing({ language, onProgress }: MissingOptions): Promise<MissingReport> {
    this.queue.requireTranscriber();
    const [{ total }]: [{ total: number }] = await this.dataSource.query(
      `SELECT count(*)::int AS total ${MISSING}`,
      [PLAYABLE],
    );
    const counts = { started: 0, present: 0, 'not allowed': 0, gone: 0 };
    let done = 0;
    for await (const id of this.missing()) {
      counts[await this.startOne(id, language)] += 1;
      done += 1;
      onProgress(done, Math.max(done, total));
    }
    return { started: counts.started, notAllowed: counts['not allowed'] };
  }

  private async *missing(): AsyncIterable<string> {
    let last: string | null = null;
    for (;;) {
      const page: { id: string }[] = await this.dataSource.query(
        `SELECT r.id ${MISSING} AND ($2::uuid IS NULL OR r.id < $2) ORDER BY r.id DESC LIMIT ${PAGE_SIZE}`,
        [PLAYABLE, last],
      );
      for (const { id } of page) yield id;
      last = page.at(-1)?.id ?? null;
      if (last === null) return;
    }
  }

  private startOne(id: string, language: string | null): Promise<AutomaticStart | 'gone'> {
    return this.dataSource.transaction(async (manager) => {
      const [row]: { language: string | null }[] = await manager.query(
        `SELECT r.language ${MISSING} AND r.id = $2 FOR NO KEY UPDATE`,
        [PLAYABLE, id],
      );
      if (!row) return 'gone';
      return this.queue.startForOwner(manager, id, { language: row.language ?? language, later: true });
    });
  }
}

interface Owned {
  readonly owner_id: string | null;
  readonly organization_id: string | null;
}
