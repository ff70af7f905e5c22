import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { JobOwner } from '../../platform/jobs/fair-share.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';

/** Packages what is only copied, and publishes the source of what has to be encoded; enqueues the other job for that. */
export const PACKAGE_JOB = 'packaging.package';
/** Packages media that has to be encoded. */
export const CONVERT_JOB = 'packaging.convert';
export type PackagingJob = typeof PACKAGE_JOB | typeof CONVERT_JOB;

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
    await this.add(manager, PACKAGE_JOB, recordingId, owner, later ? LOW_PRIORITY : 0);
  }

  /** Enqueues a job of this queue in place of one that is running, with the priority that it had. */
  async add(
    manager: EntityManager,
    job: PackagingJob,
    recordingId: string,
    owner: JobOwner,
    priority: number,
  ): Promise<void> {
    const options = { key: KEY + recordingId, maxAttempts: MAX_ATTEMPTS, priority, owner };
    await this.jobs.enqueue(manager, job, [{ recordingId }], options);
  }
}

/** The id of the recording that a job of this queue is for, from the job's key. */
export const recordingOfJob = (key: string): string => key.slice(KEY.length);
