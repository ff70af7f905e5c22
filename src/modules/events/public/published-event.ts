import type { ChangeTypeName } from '../../../contract/changes/change-catalog.js';
import type { Audience } from '../../../contract/changes/change-details.js';

/** A change that has been committed, at its place among all others. */
export interface PublishedEvent {
  /** Whole number, as text because it may exceed 2^53. */
  readonly position: string;
  readonly at: Date;
  readonly changeId: string;
  readonly type: ChangeTypeName;
  readonly audience: Audience;
  readonly organizationId: string | null;
  readonly recordingId: string | null;
  /** The owner of a personal recording, or the user concerned. */
  readonly userId: string | null;
  /** Only of an example, which has not happened and is in no log: what it is about. */
  readonly targetId?: string | null;
}
