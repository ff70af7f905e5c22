import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { MediaService } from '../media/media.service.js';
import { ImportRun, type ImportReport } from './import-run.js';
import { importOrganizations } from './organization-import.js';
import { RecordingImportService } from './recording-import.service.js';
import { importUsers } from './user-import.js';
import { WorkspaceDirectory } from './workspace-directory.js';
import { lockImport } from './workspace.queries.js';
import type { ReadWorkspace } from './workspace-reader.service.js';
import { transactionBy } from '../../platform/database/transaction-by.js';

/**
 * Imports a workspace, all or nothing: creates what is missing, and lists what differs; a second import has no effect.
 */
@Injectable()
export class WorkspaceImportService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly apiKeys: ApiKeysService,
    private readonly recordings: RecordingImportService,
    private readonly media: MediaService,
  ) {}

  async import(workspace: ReadWorkspace): Promise<ImportReport> {
    const stored: string[] = [];
    try {
      return await transactionBy(this.dataSource, { kind: 'command_line' }, async (manager) => {
        await lockImport(manager);
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
