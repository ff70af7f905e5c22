/** Why and by whom content was written. */
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
