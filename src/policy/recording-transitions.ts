import type { RecordingStatus } from './recording-status.js';

/** What a client that records elsewhere may report of its recording. */
export const REPORTABLE_STATUSES = ['STARTING', 'CONNECTING', 'WAIT_APPROVAL', 'RECORDING', 'ERROR'] as const;
export type ReportableStatus = (typeof REPORTABLE_STATUSES)[number];

/** What the service itself sees happen to a recording. */
export type RecordingEvent =
  /** Bytes arrived; more may come for as long as the meeting runs. */
  | 'bytes'
  /** The length of the upload is known: the meeting is over, what is left drains. */
  | 'length'
  /** All bytes are here. */
  | 'received'
  /** The upload cannot become a recording: no video, cancelled, nothing ever came. */
  | 'refused'
  /** Renditions and thumbnail can be played. */
  | 'packaged'
  /** Everything lies in long-term storage. */
  | 'stored'
  /** Packaging failed for the last time. */
  | 'failed'
  /** Somebody asked for another try. */
  | 'retried';

interface Transitions {
  /** Statuses that a client may report next. The current one may always be reported again. */
  readonly reports: readonly ReportableStatus[];
  readonly events: Readonly<Partial<Record<RecordingEvent, RecordingStatus>>>;
}

const UPLOAD_ENDS = { received: 'PROCESSING', refused: 'ERROR' } as const;
const LAST = { reports: [], events: {} } as const;

/** Every transition there is; `docs/architecture.md` draws it. */
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
  // A running meeting sends its bytes as it goes.
  RECORDING: {
    reports: ['CONNECTING', 'ERROR'],
    events: { bytes: 'RECORDING', length: 'UPLOADING', ...UPLOAD_ENDS },
  },
  UPLOADING: {
    reports: ['STARTING', 'CONNECTING', 'WAIT_APPROVAL', 'RECORDING', 'ERROR'],
    events: { bytes: 'UPLOADING', length: 'UPLOADING', ...UPLOAD_ENDS },
  },
  PROCESSING: { reports: [], events: { packaged: 'MIGRATING', failed: 'ERROR' } },
  TRANSCODING: LAST,
  // It plays already: a failure to move it is tried again, and takes nothing away.
  MIGRATING: { reports: [], events: { stored: 'COMPLETED', retried: 'MIGRATING' } },
  COMPLETED: LAST,
  ERROR: { reports: [], events: { retried: 'PROCESSING' } },
};

/** Whether a client may report `next` while the recording is `current`. */
export function mayReport(current: RecordingStatus, next: ReportableStatus): boolean {
  return current === next || TRANSITIONS[current].reports.includes(next);
}

/** The status after an event; null when the event changes nothing in this status. */
export function statusAfter(current: RecordingStatus, event: RecordingEvent): RecordingStatus | null {
  return TRANSITIONS[current].events[event] ?? null;
}
