import type { EntityManager } from 'typeorm';
import type { JobsService } from '../../../platform/jobs/jobs.service.js';

/** The jobs of `media` that delete more recordings than a request can wait for. */
export const RECORDING_PURGES = {
  /** The personal recordings of deleted users. */
  ofUsers: 'users.delete',
  /** The recordings of a deleted organization, and then the organization. */
  ofOrganization: 'organizations.delete',
} as const;

export interface OrganizationPurge {
  readonly organizationId: string;
}

/** They run only when nothing else is waiting: the recordings cannot be reached any more. */
const PRIORITY = 100;

/** Enqueues a purge in the transaction that makes the recordings unreachable. */
export async function enqueuePurge(
  jobs: JobsService,
  manager: EntityManager,
  task: string,
  payload: object,
): Promise<void> {
  await jobs.enqueue(manager, task, [payload], { priority: PRIORITY });
}
