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
  /** BCP 47 code of the requested language, or `auto`; null: that of the recording or of the installation. */
  readonly language: string | null;
  /** Nobody is waiting for it, so it yields to all that are not. */
  readonly later?: boolean;
  /** Most of it was heard while the meeting was in progress, so that little is left. */
  readonly continuesLive?: boolean;
}

/** Why content was written, and who wrote it. */
export interface RevisionOrigin<Cause extends string> {
  readonly cause: Cause;
  /** Null if no user did. */
  readonly userId: string | null;
}

/** Reads the number of a revision from a path; 0, which no revision has, if it is none. */
export const readRevisionNumber = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : 0);

/** What finds the revisions of a recording's content, newest first. */
export const newestFirst = (recordingId: string) =>
  ({ where: { recordingId }, relations: { creator: true }, order: { revision: 'DESC' } }) as const;
