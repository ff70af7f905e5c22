import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { JobOwner } from '../../platform/jobs/fair-share.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';

export const PACKAGE_JOB = 'packaging.package';
/** With waits of 3, 7, 20, 55 and 148 seconds between the attempts. */
const MAX_ATTEMPTS = 6;
const LOW_PRIORITY = 10;
const KEY = 'package:';

/** `progress` when all bytes have been received; packaging continues from there. */
export const RECEIVED = 0.5;
/** `progress` when the recording can be played. */
export const PACKAGED = 0.95;

/** Enqueues the packaging of a recording, which any free worker picks up. */
@Injectable()
export class PackagingQueueService {
  constructor(private readonly jobs: JobsService) {}

  /**
   * To be called in the transaction that completes the media. A job already waiting for the recording is not duplicated.
   * `later` is for work that nobody is waiting for, such as imported media that already plays: it yields to new uploads.
   */
  async enqueue(
    manager: EntityManager,
    recordingId: string,
    owner: JobOwner,
    { later = false }: { later?: boolean } = {},
  ): Promise<void> {
    const priority = later ? LOW_PRIORITY : 0;
    const options = { key: KEY + recordingId, maxAttempts: MAX_ATTEMPTS, priority, owner };
    await this.jobs.enqueue(manager, PACKAGE_JOB, [{ recordingId }], options);
  }
}

/** The id of the recording that a job of this queue is for, from the job's key. */
export const recordingOfJob = (key: string): string => key.slice(KEY.length);
