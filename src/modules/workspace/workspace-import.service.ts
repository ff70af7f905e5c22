import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { MediaService } from '../media/media.service.js';
import { ImportRun, type ImportReport } from './import-run.js';
import { importOrganizations } from './organization-import.js';
import { RecordingImportService } from './recording-import.service.js';
import { importUsers } from './user-import.js';
import { WorkspaceDirectory } from './workspace-directory.js';
import type { ReadWorkspace } from './workspace-reader.service.js';
import { transactionBy } from '../../platform/database/transaction-by.js';

/** An arbitrary number that no other program on the same database is likely to lock. */
const IMPORT_LOCK = 7_345_190_114;

/** Imports a workspace, all or nothing: creates what is missing, and lists what differs. Importing it twice has no further effect. */
@Injectable()
export class WorkspaceImportService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly apiKeys: ApiKeysService,
    private readonly recordings: RecordingImportService,
    private readonly media: MediaService,
  ) {}

  async import(workspace: ReadWorkspace): Promise<ImportReport> {
    const stored: string[] = [];
    try {
      return await transactionBy(this.dataSource, { kind: 'command_line' }, async (manager) => {
        // Copying long videos takes time, and so may waiting for another import.
        await manager.query('SET LOCAL statement_timeout = 0');
        await manager.query('SET LOCAL idle_in_transaction_session_timeout = 0');
        await manager.query('SELECT pg_advisory_xact_lock($1)', [IMPORT_LOCK]);
        return this.write(manager, workspace, stored);
      });
    } catch (error) {
      await this.media.discard(this.dataSource.manager, stored);
      throw error;
    }
  }

  private async write(
    manager: EntityManager,
    workspace: ReadWorkspace,
    stored: string[],
  ): Promise<ImportReport> {
    const run = new ImportRun(manager, await WorkspaceDirectory.load(manager, workspace));
    await importUsers(run, workspace.users, this.apiKeys);
    await importOrganizations(run, workspace.organizations);
    await this.recordings.import(run, workspace.recordings, stored);
    return run.report();
  }
}
