import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { conflict, required } from '../../../contract/domain-error.js';
import type { JobOwner } from '../../../platform/jobs/fair-share.js';
import {
  mayReport,
  statusAfter,
  TRANSITIONS,
  type RecordingStatus,
  type RecordingEvent,
  type ReportableStatus,
} from '../../../policy/recording-status.js';
import { Recording, type MediaColumns } from './entities/recording.entity.js';

/** The columns that an event may change in addition to the status. */
export type EventChanges = Partial<
  MediaColumns &
    Pick<
      Recording,
      'progress' | 'statusReason' | 'startedAt' | 'endedAt' | 'duration' | 'mediaKey' | 'packagingId'
    >
>;

/** The status of a recording, what is stored of it, and the owner that jobs for it are attributed to. */
export interface OwnedStatus extends Readonly<Pick<Recording, 'status' | 'mediaKey' | 'storedBytes'>> {
  readonly owner: JobOwner;
}

/** `statusReason` when a client itself reports `ERROR`. */
const REPORTED = 'The client reported an error.';

/** All changes to a recording's status go through here, with its row locked, as the policy's table allows. */
@Injectable()
export class RecordingStatusService {
  constructor(private readonly clock: Clock) {}

  /** Locks the row until the transaction ends; null when the recording has been deleted. */
  async lockOwned(manager: EntityManager, recordingId: string): Promise<OwnedStatus | null> {
    const row = await manager.getRepository(Recording).findOne({
      where: { id: recordingId },
      select: {
        id: true,
        status: true,
        mediaKey: true,
        storedBytes: true,
        ownerId: true,
        organizationId: true,
      },
      lock: { mode: 'pessimistic_write' },
    });
    if (!row) return null;
    const { status, mediaKey, storedBytes, ownerId: userId, organizationId } = row;
    return { status, mediaKey, storedBytes, owner: { userId, organizationId } };
  }

  /** Applies a status that a client reports; returns whether it changed. A refusal names what the table allows. */
  async report(manager: EntityManager, recordingId: string, next: ReportableStatus): Promise<boolean> {
    const locked = await this.lockOwned(manager, recordingId);
    const { status: current } = required(locked, 'RECORDING_NOT_FOUND');
    if (!mayReport(current, next)) {
      const { reports } = TRANSITIONS[current];
      const allowed =
        reports.length > 0
          ? `allowed next: ${reports.join(', ')}`
          : 'no status can be reported any more; create another recording with POST /api/v1/recordings';
      throw conflict(`status: a recording in ${current} cannot become ${next}; ${allowed}`);
    }
    if (current === next) return false;
    const statusReason = next === 'ERROR' ? REPORTED : null;
    await this.write(manager, recordingId, next, { statusReason });
    return true;
  }

  /**
   * Applies an event observed by the service to a recording whose row this transaction has locked. Returns false when
   * the event has no effect in its current status.
   */
  async apply(
    manager: EntityManager,
    recordingId: string,
    current: RecordingStatus,
    event: RecordingEvent,
    changes: EventChanges = {},
  ): Promise<boolean> {
    const next = statusAfter(current, event);
    if (next === null) return false;
    if (next !== current) await this.write(manager, recordingId, next, { statusReason: null, ...changes });
    else if (Object.keys(changes).length > 0) await this.change(manager, recordingId, changes);
    return true;
  }

  /** Changes a recording whose row this transaction has locked, and not its status. */
  async change(manager: EntityManager, recordingId: string, changes: EventChanges): Promise<void> {
    await manager.getRepository(Recording).update({ id: recordingId }, changes);
  }

  private async write(
    manager: EntityManager,
    id: string,
    status: RecordingStatus,
    changes: EventChanges,
  ): Promise<void> {
    await manager
      .getRepository(Recording)
      .update({ id }, { ...changes, status, updatedAt: this.clock.now() });
  }
}
