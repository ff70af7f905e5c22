import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { conflict, DomainError, required } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
import { countQuestions, type SpeakerStatistics } from '../../lib/transcript-formats/speaker-statistics.js';
import type { TranscriptSegment } from '../../lib/transcript-formats/transcript.js';
import { Clock } from '../../platform/clock/clock.js';
import type { Precondition } from '../../platform/http/replies/revisions.js';
import { WorkPool } from '../../platform/work/work-pool.service.js';
import { explainTranscription } from '../../policy/advice.js';
import type { Caller } from '../../policy/caller.js';
import { renameVoices } from '../organizations/public/voices.queries.js';
import { ContentService } from '../pipeline/content.service.js';
import { newestFirst, readRevisionNumber, type RevisionOrigin } from '../pipeline/public/content.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import { SearchIndexService } from '../search/index/search-index.service.js';
import { type RevisionCause, TranscriptRevision } from './entities/transcript-revision.entity.js';
import { Transcript } from './entities/transcript.entity.js';
import { matchesNothing, planRenames, requireFewSpeakers, type SpeakerRename } from './speaker-renames.js';
import { COUNT_SPEAKERS } from './tasks/count-speakers.task.js';
import {
  chunkOfSegment,
  correctSegment,
  recordRevision,
  renameSpeakers,
  restoreChunks,
  restoreHead,
} from './transcript-revisions.queries.js';
import { readChunks } from './transcripts.queries.js';

const NO_REVISION = `The transcript has no such revision. The last ${LIMITS.revisions} are kept.`;

/** For counting, which takes less than one: a transaction waits. */
const SECONDS = 30;

/** A change of a transcript; `condition` has to hold for its revision. */
interface TranscriptChange {
  readonly recordingId: string;
  readonly condition: Precondition;
}

/**
 * Corrections of transcripts, and their last revisions. Each change makes a revision; those of one recording are
 * serialized.
 */
@Injectable()
export class TranscriptRevisionsService {
  constructor(
    @InjectRepository(TranscriptRevision) private readonly revisions: Repository<TranscriptRevision>,
    private readonly access: RecordingAccessService,
    private readonly content: ContentService,
    private readonly searchIndex: SearchIndexService,
    private readonly pool: WorkPool,
    private readonly clock: Clock,
  ) {}

  /** Newest first; the first one is the current content. */
  async list(caller: Caller, recordingId: string): Promise<TranscriptRevision[]> {
    const { row } = await this.access.requireFeature(caller, recordingId, 'transcription');
    return this.revisions.find(newestFirst(row.id));
  }

  /**
   * Applies renames simultaneously: two speakers may swap labels, and those given the same label are merged. Unless the
   * next transcription has the new names, too, it then no longer replaces the transcript.
   */
  async renameSpeakers(
    caller: Caller,
    change: TranscriptChange,
    renames: readonly SpeakerRename[],
    { lasts = false } = {},
  ): Promise<{ revision: number; speakers: string[] }> {
    return this.correct(caller, change, async (manager, transcript, revision) => {
      const { recordingId } = transcript;
      const plan = planRenames(renames, transcript);
      const { speakers, unmatched } = await renameSpeakers(manager, recordingId, plan, revision);
      if (unmatched) throw matchesNothing(unmatched);
      requireFewSpeakers(transcript.speakers, speakers);
      await manager.update(
        Transcript,
        { recordingId },
        { speakers, revision, generated: lasts && transcript.generated },
      );
      const whole = plan.renames.filter((rename) => !rename.segments);
      await renameVoices(manager, recordingId, whole, { speakers, now: this.clock.now() });
      await this.searchIndex.refresh(manager, recordingId, { transcript: true });
      await this.record(manager, recordingId, { cause: 'speakers', userId: caller.id });
      return { revision, speakers };
    });
  }

  async correctSegment(
    caller: Caller,
    change: TranscriptChange,
    segmentId: string,
    text: string,
  ): Promise<{ revision: number; segment: TranscriptSegment }> {
    return this.correct(caller, change, async (manager, transcript, revision) => {
      const { recordingId, segmentsCount, speakerStatistics } = transcript;
      const number = /^\d{1,9}$/.test(segmentId) ? Number(segmentId) : Infinity;
      if (number >= segmentsCount) {
        const reason = `The transcript has ${segmentsCount} segments, numbered from 0.`;
        throw new DomainError('SEGMENT_NOT_FOUND', reason);
      }
      const { segment, before } = await correctSegment(manager, recordingId, number, text, revision);
      await manager.update(Transcript, { recordingId }, { revision, generated: false });
      const asked = countQuestions(segment.text) - countQuestions(before);
      const statistics = speakerStatistics?.map((one) =>
        one.speaker === segment.speaker ? { ...one, questions: one.questions + asked } : one,
      );
      await this.record(manager, recordingId, { cause: 'correction', userId: caller.id }, statistics);
      await this.searchIndex.refreshChunk(manager, recordingId, chunkOfSegment(number));
      return { revision, segment };
    });
  }

  /** Makes the content of a revision the current one, as a new revision. A transcription in progress is superseded. */
  async restore(
    caller: Caller,
    { recordingId: id, condition }: TranscriptChange,
    revision: string,
  ): Promise<TranscriptRevision> {
    const { row } = await this.access.requireFeatureEdit(caller, id, 'transcription');
    const change = { type: Transcript, recordingId: row.id, condition };
    // Indexing the text takes as long as after an import.
    return this.content.queueImport(caller.id, () =>
      this.content.change(caller, change, async (manager) => {
        const earlier = readRevisionNumber(revision);
        const found = await restoreHead(manager, row.id, earlier);
        const head = required(found, 'TRANSCRIPT_REVISION_NOT_FOUND', NO_REVISION);
        await restoreChunks(manager, row.id, earlier, head);
        await this.record(manager, row.id, { cause: 'restore', userId: caller.id });
        await this.searchIndex.refresh(manager, row.id, { texts: true, transcript: true });
        return manager.findOneOrFail(TranscriptRevision, newestFirst(row.id));
      }),
    );
  }

  /** Records what has been written, and counts its speakers in a thread if their statistics are not known. */
  private async record(
    manager: EntityManager,
    recordingId: string,
    origin: RevisionOrigin<RevisionCause>,
    known?: readonly SpeakerStatistics[],
  ): Promise<void> {
    const work = { caller: recordingId, seconds: SECONDS, accepted: true };
    const statistics =
      known ?? (await this.pool.run(COUNT_SPEAKERS, await readChunks(manager, recordingId), work));
    await recordRevision(manager, recordingId, origin, statistics, this.clock.now());
  }

  /** Changes a completed transcript, which gets this revision. */
  private async correct<Result>(
    caller: Caller,
    { recordingId, condition }: TranscriptChange,
    work: (manager: EntityManager, transcript: Transcript, revision: number) => Promise<Result>,
  ): Promise<Result> {
    const { row } = await this.access.requireFeatureEdit(caller, recordingId, 'transcription');
    const change = { type: Transcript, recordingId: row.id, condition };
    return this.content.change(caller, change, async (manager, transcript) => {
      if (transcript?.status === 'completed') return work(manager, transcript, transcript.revision + 1);
      throw conflict(explainTranscription(transcript?.status ?? 'not_started', 'A correction needs'));
    });
  }
}
