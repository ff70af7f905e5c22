/** Statuses of a recording, in the order in which a recording passes through them. */
export const RECORDING_STATUSES = [
  'STARTING',
  'CONNECTING',
  'WAIT_APPROVAL',
  'RECORDING',
  'UPLOADING',
  'PROCESSING',
  'TRANSCODING',
  'MIGRATING',
  'COMPLETED',
  'ERROR',
] as const;
export type RecordingStatus = (typeof RECORDING_STATUSES)[number];

/** Consumers treat MIGRATING exactly like COMPLETED (States, rule 1). */
export const isPlayable = (status: RecordingStatus): boolean =>
  status === 'MIGRATING' || status === 'COMPLETED';

/** Whether there is media to play: none of a meeting of which only the words were sent, until media is added. */
export const MEDIA_STATES = ['available', 'pending', 'none'] as const;
export type MediaState = (typeof MEDIA_STATES)[number];

/** `hasMedia`: any is stored. That of a failed recording cannot be played, and nothing more will come by itself. */
export function mediaState(status: RecordingStatus, hasMedia: boolean): MediaState {
  if (isPlayable(status)) return hasMedia ? 'available' : 'none';
  return status === 'ERROR' ? 'none' : 'pending';
}

/** Statuses of a transcription and of a summary, as stored. */
export const CONTENT_STATUSES = ['not_started', 'processing', 'completed', 'failed'] as const;
export type ContentStatus = (typeof CONTENT_STATUSES)[number];

/** As shown: what is `queued` begins by itself after what precedes it. */
export const SHOWN_STATUSES = ['not_started', 'queued', 'processing', 'completed', 'failed'] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

/** What happens to media that is being added to an existing recording. */
export const NEW_MEDIA_STATUSES = ['uploading', 'processing', 'failed'] as const;
export type NewMediaStatus = (typeof NEW_MEDIA_STATUSES)[number];

/** Statuses that a client which records elsewhere may report. */
export const REPORTABLE_STATUSES = ['STARTING', 'CONNECTING', 'WAIT_APPROVAL', 'RECORDING', 'ERROR'] as const;
export type ReportableStatus = (typeof REPORTABLE_STATUSES)[number];

/** Events that the service itself observes. */
export type RecordingEvent =
  /** Bytes arrived; more may follow while the meeting is running. */
  | 'bytes'
  /** The length of the upload is known: the meeting is over, only the remaining bytes are uploaded. */
  | 'length'
  | 'received'
  /** The upload cannot become a recording: nothing playable, nothing arrived, or cancelled with content added. */
  | 'refused'
  /** The file can be played as it was uploaded; it is still being converted. */
  | 'playable'
  /** Renditions and thumbnail can be played. */
  | 'packaged'
  /** All that there will be is in long-term storage. */
  | 'stored'
  /** The last attempt at packaging failed. */
  | 'failed'
  | 'retried'
  /** New media of an existing recording has been packaged and stored. */
  | 'replaced';

interface Transitions {
  /** Statuses that a client may report next. The current one may always be reported again. */
  readonly reports: readonly ReportableStatus[];
  readonly events: Readonly<Partial<Record<RecordingEvent, RecordingStatus>>>;
}

const REPLACED = { replaced: 'COMPLETED' } as const;
const UPLOAD_ENDS = { received: 'PROCESSING', refused: 'ERROR', ...REPLACED } as const;
const UPLOAD = { bytes: 'UPLOADING', length: 'UPLOADING', ...UPLOAD_ENDS } as const;
const LAST = { reports: [], events: REPLACED } as const;

/** All transitions; `docs/architecture.md` lists them. */
export const TRANSITIONS: Readonly<Record<RecordingStatus, Transitions>> = {
  STARTING: { reports: ['CONNECTING', 'WAIT_APPROVAL', 'RECORDING', 'ERROR'], events: UPLOAD },
  CONNECTING: { reports: ['WAIT_APPROVAL', 'RECORDING', 'ERROR'], events: UPLOAD },
  WAIT_APPROVAL: { reports: ['CONNECTING', 'RECORDING', 'ERROR'], events: UPLOAD },
  // A live recording is uploaded while the meeting is running.
  RECORDING: { reports: ['CONNECTING', 'ERROR'], events: { ...UPLOAD, bytes: 'RECORDING' } },
  UPLOADING: { reports: REPORTABLE_STATUSES, events: UPLOAD },
  PROCESSING: {
    reports: [],
    events: { playable: 'MIGRATING', packaged: 'MIGRATING', failed: 'ERROR', ...REPLACED },
  },
  TRANSCODING: LAST,
  // Already playable, and it remains so: what is left is retried, and a failure takes nothing away from viewers.
  MIGRATING: {
    reports: [],
    events: { packaged: 'MIGRATING', stored: 'COMPLETED', retried: 'MIGRATING', ...REPLACED },
  },
  COMPLETED: LAST,
  ERROR: { reports: [], events: { retried: 'PROCESSING', ...REPLACED } },
};

/** Whether a client may report `next` while the recording is `current`. */
export const mayReport = (current: RecordingStatus, next: ReportableStatus): boolean =>
  current === next || TRANSITIONS[current].reports.includes(next);

/** The status after an event; null if the event is ignored in this status. */
export const statusAfter = (current: RecordingStatus, event: RecordingEvent): RecordingStatus | null =>
  TRANSITIONS[current].events[event] ?? null;
