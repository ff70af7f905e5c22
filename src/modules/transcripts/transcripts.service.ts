import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Not, type Repository } from 'typeorm';
import { SEGMENTS_PER_CHUNK } from '../../contract/limits.js';
import { Clock } from '../../platform/clock/clock.js';
import { SupersededError } from '../pipeline/public/steps.js';
import type { ContentJob, RevisionOrigin } from '../pipeline/public/content.js';
import { SearchIndexService } from '../search/index/search-index.service.js';
import {
  TranscriptChunk,
  type NewTranscript,
  TranscriptDraftChunk,
} from './entities/transcript-chunk.entity.js';
import { Transcript } from './entities/transcript.entity.js';
import { forgetRevisions, recordRevision } from './transcript-revisions.queries.js';
import {
  chunksOf,
  chunksOfSegments,
  headOfSegments,
  type StoredTranscript,
  toStored,
} from './stored-transcript.js';
import { removeChunks, saveDraft, writeChunks, writeHead } from './transcripts.queries.js';
import type { Segment } from '../../lib/transcript-formats/transcript.js';

/** Whether somebody sent it, a transcription wrote it, or it is what an erasure has left. */
type TranscriptOrigin = RevisionOrigin<'import' | 'transcription' | 'correction'>;

/** Stands in for what somebody who was erased has said. */
const ERASED = { speaker: 'Erased person', text: '[erased]' } as const;

/** What a running transcription has so far. */
export interface TranscriptDraft {
  /** 0 to 1. */
  readonly progress: number;
  readonly segments: readonly Segment[];
  /** What the transcriber needs to continue, as JSON. */
  readonly state: unknown;
}

type Attempt = Pick<ContentJob, 'recordingId' | 'attempt'>;

/** Stores whole transcripts, and drafts of running transcriptions. */
@Injectable()
export class TranscriptsService {
  constructor(
    @InjectRepository(Transcript) private readonly transcripts: Repository<Transcript>,
    private readonly searchIndex: SearchIndexService,
    private readonly clock: Clock,
  ) {}

  /** Whether its transcript has this language and these segments. */
  async has(
    manager: EntityManager,
    recordingId: string,
    { language, segments }: NewTranscript,
  ): Promise<boolean> {
    const where = { recordingId, language: language ?? IsNull() };
    if (!(await manager.getRepository(Transcript).existsBy(where))) return false;
    const stored = await manager
      .getRepository(TranscriptChunk)
      .find({ where: { recordingId }, order: { chunkIndex: 'ASC' } });
    return isDeepStrictEqual(
      stored.map((chunk): unknown => chunk.segments),
      [...chunksOf(segments)].map((chunk): unknown => JSON.parse(chunk)),
    );
  }

  /** Does the same as `replace`, for callers in which no request waits for this thread. */
  async write(
    manager: EntityManager,
    recordingId: string,
    transcript: NewTranscript,
    origin: TranscriptOrigin,
  ): Promise<void> {
    await this.replace(manager, recordingId, toStored(transcript), origin);
  }

  /**
   * Replaces the transcript, in the transaction of `manager`, which must hold the lock on the recording. A current
   * attempt is superseded.
   */
  async replace(
    manager: EntityManager,
    recordingId: string,
    transcript: StoredTranscript,
    origin: TranscriptOrigin,
  ): Promise<void> {
    const revision = await writeHead(manager, recordingId, transcript, origin.cause === 'transcription');
    for (const batch of transcript.batches) await writeChunks(manager, recordingId, revision, batch);
    await removeChunks(manager, recordingId, revision, chunksOfSegments(transcript.segmentsCount));
    await recordRevision(manager, recordingId, origin, transcript.statistics, this.clock.now());
    await this.searchIndex.refresh(manager, recordingId, { texts: true, transcript: true });
  }

  /**
   * Erases what speakers have said, whose labels are given in lower case, in the transaction of `manager`, which must
   * hold the lock on the recording. Earlier revisions go as a whole: there, the words may have another speaker. Returns
   * when they spoke. Throws while a transcription is in progress, which is worth a retry.
   */
  async eraseSpeakers(
    manager: EntityManager,
    recordingId: string,
    labels: readonly string[],
  ): Promise<readonly Pick<Segment, 'start' | 'end'>[]> {
    const transcript = await manager.getRepository(Transcript).findOneBy({ recordingId });
    if (!transcript) return [];
    if (transcript.attemptId !== null) throw new Error('The recording is being transcribed');
    const chunks = await manager
      .getRepository(TranscriptChunk)
      .find({ where: { recordingId }, order: { chunkIndex: 'ASC' } });
    const spoken = chunks.flatMap((chunk) => chunk.segments);
    const isErased = ({ speaker }: { readonly speaker: string }): boolean =>
      labels.includes(speaker.toLowerCase());
    const erased = spoken.filter(isErased).map(({ start, end }) => ({ start, end }));
    if (erased.length > 0) {
      const { language, confidenceKnown } = transcript;
      const segments = spoken.map((segment) => (isErased(segment) ? { ...segment, ...ERASED } : segment));
      const origin = { cause: 'correction', userId: null } as const;
      await this.write(manager, recordingId, { language, confidenceKnown, segments }, origin);
    }
    await forgetRevisions(manager, recordingId);
    return erased;
  }

  /**
   * The draft of an attempt, to continue from; null if it has none, or is no longer current. Also null if segments are
   * missing, which happens when an attempt runs twice at the same time and both save: it then starts over.
   */
  async findDraft(
    { recordingId, attempt }: Attempt,
    manager = this.transcripts.manager,
  ): Promise<TranscriptDraft | null> {
    const found = await manager.findOne(Transcript, {
      select: { progress: true, draft: true },
      where: { recordingId, attemptId: attempt, draft: Not(IsNull()) },
    });
    if (!found?.draft) return null;
    const chunks = await manager.find(TranscriptDraftChunk, {
      where: { attemptId: attempt },
      order: { chunkIndex: 'ASC' },
    });
    const { state, segmentsCount } = found.draft;
    const segments = chunks.flatMap((chunk) => chunk.segments).slice(0, segmentsCount);
    return segments.length === segmentsCount ? { progress: found.progress, segments, state } : null;
  }

  /**
   * Keeps the draft of an attempt, to be read meanwhile and to continue from; a trigger removes it when the attempt
   * ends. `saved` are the segments found or saved before: those that are the same are not written again. Throws
   * `SupersededError` if the attempt is no longer current.
   */
  async saveDraft(
    { recordingId, attempt }: Attempt,
    { progress, segments, state }: TranscriptDraft,
    saved: readonly Segment[],
    manager = this.transcripts.manager,
  ): Promise<void> {
    const changed = segments.findIndex((segment, index) => !isDeepStrictEqual(segment, saved[index]));
    const from = Math.floor((changed < 0 ? segments.length : changed) / SEGMENTS_PER_CHUNK);
    const chunks = `[${[...chunksOf(segments, from)].join(',')}]`;
    const head = { ...headOfSegments(segments), state };
    const draft = { recordingId, attempt, progress, head, from, chunks };
    if (!(await saveDraft(manager, draft))) throw new SupersededError();
  }

  /** Changes the draft of an attempt while nothing else does; throws as `saveDraft`. */
  async changeDraft(
    attempt: Attempt,
    change: (draft: TranscriptDraft | null) => TranscriptDraft,
  ): Promise<void> {
    await this.transcripts.manager.transaction(async (manager) => {
      const where = { recordingId: attempt.recordingId };
      await manager.findOne(Transcript, { where, lock: { mode: 'pessimistic_write' } });
      const draft = await this.findDraft(attempt, manager);
      await this.saveDraft(attempt, change(draft), draft?.segments ?? [], manager);
    });
  }
}
