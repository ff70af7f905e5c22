import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Deadline } from '../../../../lib/deadline.js';
import { unlessAuto } from '../../../../lib/language/language-codes.js';
import type { EntryPoint } from '../../../../lib/media-engine/containers/entry-points.js';
import { extractPiece } from '../../../../lib/media-engine/media-engine.js';
import { MEDIA_LIMITS } from '../../../../lib/media-engine/media-limits.js';
import type { ExtractedPiece } from '../../../../lib/media-engine/process/packager-messages.js';
import { UnplayableMediaError } from '../../../../lib/media-engine/media.errors.js';
import type { SpeechDraft } from '../../../../lib/speech/heard-speech.js';
import { SETTINGS, type Settings } from '../../../../platform/config/settings.js';
import { newId } from '../../../../platform/ids.js';
import { noteSpeed } from '../../../../platform/telemetry/metrics.js';
import { observed } from '../../../../platform/telemetry/observed.js';
import { RecordingAccessService } from '../../../recordings/access/recording-access.service.js';
import { TranscriptsService } from '../../../transcripts/transcripts.service.js';
import { ContentService } from '../../content.service.js';
import { ScratchService } from '../../packaging/scratch.service.js';
import type { Attempt, Step } from '../../public/steps.js';
import type { ContentJob } from '../../public/content.js';
import { StepJobsService } from '../../step-jobs.service.js';
import { Transcriber } from '../transcriber.js';
import {
  LiveMediaService,
  type LivePosition,
  writeAudioAt,
  readPosition,
  withPosition,
} from './live-media.service.js';
import { findMeeting, type Meeting } from './live-transcription.queries.js';

/** What is read and heard at once, so that a turn takes seconds even if a worker has been away for an hour. */
const PIECE = { bytes: 64 * 1024 * 1024, seconds: 120 } as const;
/** A turn that takes longer would keep other meetings waiting, and fall behind its own. */
const TURN_MS = 120_000;
/** The detector of speech needs some audio before what it is to hear. */
const WARM_UP_SECONDS = 8;
/** Consecutive pieces that cannot be transcribed, after which the meeting is left until it is over. */
const MAX_FAILURES = 5;
const EMPTY: SpeechDraft = { progress: 0, segments: [], state: null };

interface ListenJob extends ContentJob {
  readonly meeting: Meeting;
}

/**
 * Transcribes what has arrived of a meeting in progress, in turns of a few seconds, in any worker: each reads what is
 * new and a little before it, and saves a draft that says where the next one begins. The transcription of the whole
 * continues it.
 */
@Injectable()
export class LiveTranscriptionStep implements Step<Pick<ListenJob, 'recordingId'>, ListenJob>, OnModuleInit {
  constructor(
    private readonly steps: StepJobsService,
    private readonly content: ContentService,
    private readonly access: RecordingAccessService,
    private readonly scratch: ScratchService,
    private readonly media: LiveMediaService,
    private readonly transcriber: Transcriber,
    private readonly transcripts: TranscriptsService,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.steps.handle('listen', this);
  }

  async begin({ recordingId }: Pick<ListenJob, 'recordingId'>): Promise<ListenJob | null> {
    const meeting = await findMeeting(this.dataSource.manager, recordingId);
    if (!meeting || this.transcriber.listen === null) return null;
    const attempt = meeting.attempt ?? (await this.beginLive(recordingId));
    const owner = { userId: meeting.ownerId, organizationId: meeting.organizationId };
    return attempt === null ? null : { recordingId, attempt, owner, meeting };
  }

  async run(attempt: Attempt<ListenJob>): Promise<void> {
    using limit = new Deadline(TURN_MS, attempt.signal);
    try {
      await this.listen(attempt, limit.signal);
    } catch (error) {
      if (!limit.isOver || attempt.signal.aborted) throw error;
      throw new UnplayableMediaError(TOO_SLOW, { cause: error });
    }
  }

  isCurrent({ job }: Attempt<ListenJob>): Promise<boolean> {
    return this.content.isCurrent('transcripts', job);
  }

  /** The whole may still be fine, so that only the next turns are left out, and only after several. */
  async fail({ job }: Attempt<ListenJob>): Promise<void> {
    const draft = await this.transcripts.findDraft(job);
    const position = readPosition(draft?.state);
    const { segments, state, progress } = draft ?? EMPTY;
    const failed = withPosition(state, { ...position, failures: position.failures + 1 });
    await this.transcripts.saveDraft(job, { progress, segments, state: failed }, segments);
  }

  again({ job: { recordingId, owner } }: Attempt<ListenJob>): Promise<void> {
    const turn = { owner, afterOwn: true } as const;
    return this.steps.enqueue(this.dataSource.manager, 'listen', { recordingId }, turn);
  }

  /** The next bytes start another turn, and what is not heard live is heard when the meeting is over. */
  async giveUp(): Promise<void> {}

  /** Null if it cannot be transcribed live, its owner may not have it transcribed, or there is a transcript. */
  private async beginLive(recordingId: string): Promise<string | null> {
    if (!(await this.media.isStream(recordingId))) return null;
    return this.dataSource.transaction(async (manager) => {
      const attempt = newId();
      const recording = await this.access.findForOwner(manager, recordingId);
      // Only the end of the meeting is missing.
      if (recording?.access.reasons.canStartTranscription?.reason !== 'not_ready') return null;
      return (await this.content.beginLive(manager, { recordingId, attempt })) ? attempt : null;
    });
  }

  private async listen(attempt: Attempt<ListenJob>, signal: AbortSignal): Promise<void> {
    const { job } = attempt;
    const draft = await this.transcripts.findDraft(job);
    const position = readPosition(draft?.state);
    const { listen } = this.transcriber;
    if (position.failures >= MAX_FAILURES || listen === null) return;
    const to = Math.min(job.meeting.received, position.from + PIECE.bytes);
    const begun = performance.now();
    await this.scratch.within(job.attempt, async (folder) => {
      const read = await this.read(job, { position, to, folder, signal });
      if (read === null) return;
      const { audio, piece, origin } = read;
      const heard = await listen(audio, {
        language: unlessAuto(job.meeting.language ?? this.settings.speechLanguage),
        signal,
        folder,
        draft: position.header === null ? null : draft,
      });
      noteSpeed('live', piece.duration, begun);
      const isPartial = piece.isCut || to < job.meeting.received;
      const needed = origin + heard.heardUntil - WARM_UP_SECONDS;
      const next = nextPosition({ ...position, origin }, piece, { needed, isPartial });
      const state = withPosition(heard.state, next);
      await this.transcripts.saveDraft(job, { ...heard, progress: 0, state }, draft?.segments ?? []);
      if (isPartial) await this.again(attempt);
    });
  }

  /** The audio of the next piece, at its time in the meeting; null if nothing but a header has arrived. */
  private async read({ recordingId }: ListenJob, { position, to, folder, signal }: PieceRequest) {
    const source = join(folder, 'source');
    await this.media.write(recordingId, position, to, { path: source, signal });
    const piece = await observed('process', 'extract_live', () =>
      extractPiece(
        { source, folder, ffmpeg: this.settings.ffmpegPath, from: position.from, seconds: PIECE.seconds },
        { signal, onProgress: () => undefined },
      ),
    );
    if (piece.entryPoints.length === 0) return null;
    const origin = position.header === null ? piece.start : position.origin;
    const begin = piece.start - origin;
    // Its audio must be where its first entry point is, or else what is missing in between would be heard as silence.
    const jumps = position.header !== null && piece.start > piece.entryPoints[0]!.time + JUMP_SECONDS;
    if (jumps || begin < 0 || begin > MEDIA_LIMITS.duration) throw new UnplayableMediaError(CLOCK_JUMPS);
    const path = join(folder, 'meeting.s16le');
    await writeAudioAt(begin, piece.path, path);
    return { audio: { path, duration: begin + piece.duration }, piece, origin };
  }
}

interface PieceRequest {
  readonly position: LivePosition;
  /** Offset of the first byte that is left to the next turn. */
  readonly to: number;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Tracks of one file are not written exactly in the order of time. */
const JUMP_SECONDS = 10;
const TOO_SLOW = 'Hearing the meeting takes longer than the meeting.';
const CLOCK_JUMPS = 'The clock of the recording jumps.';

/** The position of the last entry point that is not after `needed`, on the clock of the file. */
function nextPosition(
  position: LivePosition,
  { entryPoints }: ExtractedPiece,
  { needed, isPartial }: { readonly needed: number; readonly isPartial: boolean },
): LivePosition {
  const [first] = entryPoints as readonly [EntryPoint];
  let [last, previous] = [first, first];
  for (const point of entryPoints) {
    // A recorder that was reloaded begins another file, and what follows a gap longer than a piece is in none. Both are
    // left until the meeting is over, or else every turn would read them again.
    const step = point.time - previous.time;
    if (step < -JUMP_SECONDS || step > PIECE.seconds) return { ...position, failures: MAX_FAILURES };
    previous = point;
    if (point.time <= needed) last = point;
  }
  // So is a meeting that cannot be taken in pieces.
  const isStuck = isPartial && last.offset === position.from;
  return {
    ...position,
    header: position.header ?? first.offset,
    from: last.offset,
    failures: isStuck ? MAX_FAILURES : 0,
  };
}
