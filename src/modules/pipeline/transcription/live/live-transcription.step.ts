import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Deadline } from '../../../../lib/deadline.js';
import { unlessAuto } from '../../../../lib/language/language-codes.js';
import type { EntryPoint } from '../../../../lib/media-engine/containers/entry-points.js';
import { placeVoice } from '../../../../lib/media-engine/audio/place-voice.js';
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
import { LiveMediaService, type LivePosition, readPosition, withPosition } from './live-media.service.js';
import { draftOf, withTrack } from './live-draft.js';
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

interface ListenJob {
  /** The id of the upload: of the recording, or of one of its tracks. */
  readonly recordingId: string;
  readonly content: ContentJob;
  readonly meeting: Meeting;
}

/**
 * Transcribes what has arrived of a meeting in progress, in turns of a few seconds, in any worker: each reads what is
 * new and a little before it, and saves a draft that says where the next one begins. The transcription of the whole
 * continues it, and hears what was not heard live. A track is heard by itself, as one voice of the draft; the whole then starts afresh.
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
    const attempt = meeting.attempt ?? (await this.beginLive(recordingId, meeting));
    const owner = { userId: meeting.ownerId, organizationId: meeting.organizationId };
    if (attempt === null) return null;
    return { recordingId, content: { recordingId: meeting.recordingId, attempt, owner }, meeting };
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
    return this.content.isCurrent('transcripts', job.content);
  }

  /** The whole may still be fine, so that only the next turns are left out, and only after several. */
  async fail({ job }: Attempt<ListenJob>): Promise<void> {
    await this.change(job, (draft) => {
      const { segments, state, progress } = draft ?? EMPTY;
      const position = readPosition(state);
      const next = { ...position, failures: position.failures + 1 };
      return { progress, segments, state: withPosition(state, next) };
    });
  }

  again({ job: { recordingId, content } }: Attempt<ListenJob>): Promise<void> {
    const turn = { owner: content.owner, afterOwn: true } as const;
    return this.steps.enqueue(this.dataSource.manager, 'listen', { recordingId }, turn);
  }

  /** Null if it cannot be transcribed live, its owner may not have it transcribed, or there is a transcript. */
  private async beginLive(uploadId: string, { recordingId, speaker }: Meeting): Promise<string | null> {
    if (!(await this.media.isStream(uploadId))) return null;
    // Only the end of the meeting is missing.
    const expected = speaker === null ? ['not_ready'] : ['not_ready', 'no_media'];
    return this.dataSource.transaction(async (manager) => {
      const attempt = newId();
      const recording = await this.access.findForOwner(manager, recordingId);
      if (!expected.includes(recording?.access.reasons.canStartTranscription?.reason ?? '')) return null;
      return (await this.content.beginLive(manager, { recordingId, attempt })) ? attempt : null;
    });
  }

  private async listen(attempt: Attempt<ListenJob>, signal: AbortSignal): Promise<void> {
    const { job } = attempt;
    const draft = ownDraft(job, await this.transcripts.findDraft(job.content));
    const position = readPosition(draft?.state, job.meeting.received);
    const { listen } = this.transcriber;
    if (position.failures >= MAX_FAILURES || listen === null) return;
    if (position.header === null && !(await this.media.isStream(job.recordingId))) return;
    const to = Math.min(job.meeting.received, position.from + PIECE.bytes);
    const begun = performance.now();
    await this.scratch.withinOwn(async (folder) => {
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
      await this.change(job, () => ({ ...heard, progress: 0, state }));
      if (isPartial) await this.again(attempt);
    });
  }

  /** Replaces what has been heard of the upload, and leaves what was heard of others. */
  private async change(job: ListenJob, change: (draft: SpeechDraft | null) => SpeechDraft): Promise<void> {
    await this.transcripts.changeDraft(job.content, (whole) => {
      const next = change(ownDraft(job, whole));
      return job.meeting.speaker === null ? next : withTrack(job.recordingId, next, whole);
    });
  }

  /** The audio of the next piece, at its time in the meeting; null if nothing but a header has arrived. */
  private async read({ recordingId, meeting }: ListenJob, { position, to, folder, signal }: PieceRequest) {
    const source = join(folder, 'source');
    await this.media.write(recordingId, position, to, { path: source, signal });
    const piece = await observed('process', 'extract_live', () =>
      extractPiece(
        { source, folder, ffmpeg: this.settings.ffmpegPath, from: position.from, seconds: PIECE.seconds },
        { signal, onProgress: () => undefined },
      ),
    );
    if (piece.entryPoints.length === 0) return null;
    const { offset, speaker } = meeting;
    const origin = position.header === null ? piece.start - offset : position.origin;
    const begin = piece.start - origin;
    // Its audio must be where its first entry point is, or else what is missing in between would be heard as silence.
    const jumps = position.header !== null && piece.start > piece.entryPoints[0]!.time + JUMP_SECONDS;
    if (jumps || begin < Math.min(0, offset) || begin > MEDIA_LIMITS.duration)
      throw new UnplayableMediaError(CLOCK_JUMPS);
    const path = join(folder, 'meeting.s16le');
    const duration = Math.max(0, begin + piece.duration);
    await placeVoice(piece.path, path, begin, duration);
    return { audio: { path, duration, speaker: speaker ?? '' }, piece, origin };
  }
}

const ownDraft = ({ recordingId, meeting }: ListenJob, whole: SpeechDraft | null): SpeechDraft | null =>
  meeting.speaker === null ? whole : draftOf(recordingId, whole);

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
