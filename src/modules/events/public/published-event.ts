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
}

/** What an event is about, as the change log has it. */
export interface EventSubject extends Pick<PublishedEvent, 'organizationId' | 'recordingId' | 'userId'> {
  readonly targetId: string | null;
}

/** An event that has not happened, for tests of receivers. */
export interface ExampleEvent extends EventSubject, Pick<PublishedEvent, 'type' | 'at' | 'changeId'> {}
