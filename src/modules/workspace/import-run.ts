import type { EntityManager } from 'typeorm';
import type { ImportLog } from './import-report.js';
import type { WorkspaceDirectory } from './workspace-directory.js';

/** One import, in one transaction. */
export interface ImportRun {
  readonly manager: EntityManager;
  readonly directory: WorkspaceDirectory;
  readonly log: ImportLog;
  /** Whether what differs is changed, or only listed. */
  readonly update: boolean;
}
