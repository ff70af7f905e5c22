import type { JobOwner } from '../../../platform/jobs/fair-share.js';

/** Tables whose content jobs generate from a recording. */
export type ContentTable = 'transcripts' | 'summaries';

/** The payload of a job that generates content. */
export interface ContentJob {
  readonly recordingId: string;
  readonly attempt: string;
  /** Who requested it, and whose fair share it counts towards. */
  readonly owner: JobOwner;
  /** Requested by the operator, whatever plans and feature flags allow. */
  readonly unconditional?: boolean;
}

export interface TranscriptionJob extends ContentJob {
  /**
   * BCP 47 code of the requested language, or `auto`; null: that of the recording or of the installation, which the job
   * looks up.
   */
  readonly language: string | null;
  /** Nobody is waiting for it, so it yields to all that are not. */
  readonly later?: boolean;
  /** Most of it was heard while the meeting was in progress, so that little is left. */
  readonly continuesLive?: boolean;
}
