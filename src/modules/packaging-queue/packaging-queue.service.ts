import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { JobOwner } from '../../platform/jobs/fair-share.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';

export const PACKAGE_JOB = 'packaging.package';
/** Waits of 3, 7, 20, 55 and 148 seconds lie between the attempts. */
const MAX_ATTEMPTS = 6;
const LATER = 10;
const KEY = 'package:';

/** `progress` when all bytes are here; packaging takes it from there. */
export const RECEIVED = 0.5;
/** `progress` when the recording plays. */
export const PACKAGED = 0.95;

/** Orders the packaging of a recording; whichever worker is free does it. */
@Injectable()
export class PackagingQueueService {
  constructor(private readonly jobs: JobsService) {}

  /**
   * In the transaction that makes the media complete. A job that waits already is not doubled. What nobody waits for, such
   * as an import that plays already, goes behind what somebody has just sent.
   */
  async enqueue(
    manager: EntityManager,
    recordingId: string,
    owner: JobOwner,
    { later = false }: { later?: boolean } = {},
  ): Promise<void> {
    const priority = later ? LATER : 0;
    const options = { key: KEY + recordingId, maxAttempts: MAX_ATTEMPTS, priority, owner };
    await this.jobs.enqueue(manager, PACKAGE_JOB, [{ recordingId }], options);
  }
}

/** The recording that a job of this queue is about, by the job's key. */
export const recordingOfJob = (key: string): string => key.slice(KEY.length);
