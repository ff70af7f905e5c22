import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { MediaService } from '../media/media.service.js';
import { ImportLog, type ImportReport } from './import-report.js';
import { createOrganizations } from './organization-import.js';
import { OrganizationUpdateService } from './organization-update.service.js';
import { RecordingImportService } from './recording-import.service.js';
import { RecordingUpdateService } from './recording-update.service.js';
import { UserImportService } from './user-import.service.js';
import { WorkspaceDirectory } from './workspace-directory.js';
import type { ReadWorkspace } from './workspace-reader.service.js';
import { transactionBy } from '../../platform/database/transaction-by.js';

/** An arbitrary number that no other program on the same database is likely to lock. */
const IMPORT_LOCK = 7_345_190_114;

export interface ImportOptions {
  /** Change existing entries to what the file says, instead of only listing what differs. */
  readonly update?: boolean;
}

/** Imports a workspace, all or nothing. Importing it twice has no further effect. */
@Injectable()
export class WorkspaceImportService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly users: UserImportService,
    private readonly organizations: OrganizationUpdateService,
    private readonly newRecordings: RecordingImportService,
    private readonly recordings: RecordingUpdateService,
    private readonly media: MediaService,
  ) {}

  async import(workspace: ReadWorkspace, { update = false }: ImportOptions = {}): Promise<ImportReport> {
    const stored: string[] = [];
    try {
      return await transactionBy(this.dataSource, { kind: 'command_line' }, async (manager) => {
        // Copying long videos takes time, and so may waiting for another import.
        await manager.query('SET LOCAL statement_timeout = 0');
        await manager.query('SET LOCAL idle_in_transaction_session_timeout = 0');
        await manager.query('SELECT pg_advisory_xact_lock($1)', [IMPORT_LOCK]);
        return this.write(manager, workspace, update, stored);
      });
    } catch (error) {
      await this.media.discard(this.dataSource.manager, stored);
      throw error;
    }
  }

  /**
   * What exists is changed last, so that no row that the service needs is locked while videos are copied. The order is that
   * in which other transactions lock: organizations, recordings, users.
   */
  private async write(
    manager: EntityManager,
    workspace: ReadWorkspace,
    update: boolean,
    stored: string[],
  ): Promise<ImportReport> {
    const directory = await WorkspaceDirectory.load(manager, workspace);
    const log = new ImportLog(update);
    const run = { manager, directory, log, update };
    const users = await this.users.create(run, workspace.users);
    const organizations = await createOrganizations(run, workspace.organizations);
    const recordings = await this.newRecordings.create(run, workspace.recordings, stored);
    await this.organizations.update(run, organizations);
    await this.recordings.update(run, recordings);
    await this.users.update(run, users);
    return log.report();
  }
}
