import type { RecordingStatus } from './recording-status.js';

/** Statuses that a client which records elsewhere may report. */
export const REPORTABLE_STATUSES = ['STARTING', 'CONNECTING', 'WAIT_APPROVAL', 'RECORDING', 'ERROR'] as const;
export type ReportableStatus = (typeof REPORTABLE_STATUSES)[number];

/** Events that the service itself observes. */
export type RecordingEvent =
  /** Bytes arrived; more may follow while the meeting is running. */
  | 'bytes'
  /** The length of the upload is known: the meeting is over, only the remaining bytes are uploaded. */
  | 'length'
  /** All bytes have arrived. */
  | 'received'
  /**
   * The upload cannot become a recording: no playable media, nothing ever arrived, or cancelled after content was
   * added.
   */
  | 'refused'
  /** The file can be played as it was uploaded; it is still being converted. */
  | 'playable'
  /** Renditions and thumbnail can be played. */
  | 'packaged'
  /** All that there will be is in long-term storage. */
  | 'stored'
  /** The last attempt at packaging failed. */
  | 'failed'
  /** A retry was requested. */
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
const LAST = { reports: [], events: REPLACED } as const;

/** All transitions; `docs/architecture.md` lists them. */
export const TRANSITIONS: Readonly<Record<RecordingStatus, Transitions>> = {
  STARTING: {
    reports: ['CONNECTING', 'WAIT_APPROVAL', 'RECORDING', 'ERROR'],
    events: { bytes: 'UPLOADING', length: 'UPLOADING', ...UPLOAD_ENDS },
  },
  CONNECTING: {
    reports: ['WAIT_APPROVAL', 'RECORDING', 'ERROR'],
    events: { bytes: 'UPLOADING', length: 'UPLOADING', ...UPLOAD_ENDS },
  },
  WAIT_APPROVAL: {
    reports: ['CONNECTING', 'RECORDING', 'ERROR'],
    events: { bytes: 'UPLOADING', length: 'UPLOADING', ...UPLOAD_ENDS },
  },
  // A live recording is uploaded while the meeting is running.
  RECORDING: {
    reports: ['CONNECTING', 'ERROR'],
    events: { bytes: 'RECORDING', length: 'UPLOADING', ...UPLOAD_ENDS },
  },
  UPLOADING: {
    reports: ['STARTING', 'CONNECTING', 'WAIT_APPROVAL', 'RECORDING', 'ERROR'],
    events: { bytes: 'UPLOADING', length: 'UPLOADING', ...UPLOAD_ENDS },
  },
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
export function mayReport(current: RecordingStatus, next: ReportableStatus): boolean {
  return current === next || TRANSITIONS[current].reports.includes(next);
}

/** The status after an event; null if the event is ignored in this status. */
export function statusAfter(current: RecordingStatus, event: RecordingEvent): RecordingStatus | null {
  return TRANSITIONS[current].events[event] ?? null;
}
