import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../platform/clock.js';
import { newId } from '../../platform/ids.js';
import { hashSecret } from '../../platform/secrets.js';
import { isPlayable, type RecordingStatus } from '../../policy/recording-status.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { ApiKey } from '../api-keys/entities/api-key.entity.js';
import { MediaService } from '../media/media.service.js';
import { PackagingQueueService } from '../packaging-queue/packaging-queue.service.js';
import { Recording } from '../recording-access/entities/recording.entity.js';
import { SearchIndexService } from '../search-index/search-index.service.js';
import { SummariesService } from '../summaries/summaries.service.js';
import { TranscriptsService } from '../transcripts/transcripts.service.js';
import { User } from '../users/entities/user.entity.js';
import { count, newReport, type ImportReport } from './import-report.js';
import { writeOrganization } from './organization-import.js';
import { StableIds } from './stable-id.js';
import type { ReadRecording, ReadWorkspace } from './workspace-reader.service.js';
import { WorkspaceReferences } from './workspace-references.js';
import { WorkspaceError } from './workspace.error.js';
import type { WorkspaceUser } from './workspace.schema.js';

/** An arbitrary number that no other program on the same database is likely to lock. */
const IMPORT_LOCK = 7_345_190_113;

/** Imports a workspace, all or nothing. Existing entries are never changed, so importing it twice has no further effect. */
@Injectable()
export class WorkspaceImportService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly apiKeys: ApiKeysService,
    private readonly media: MediaService,
    private readonly packaging: PackagingQueueService,
    private readonly transcripts: TranscriptsService,
    private readonly summaries: SummariesService,
    private readonly searchIndex: SearchIndexService,
    private readonly clock: Clock,
  ) {}

  async import(workspace: ReadWorkspace): Promise<ImportReport> {
    const stored: string[] = [];
    try {
      return await this.dataSource.transaction(async (manager) => {
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
    const report = newReport();
    for (const [index, user] of workspace.users.entries()) {
      await this.writeUser(manager, user, `users[${index}]`, report);
    }
    for (const [index, organization] of workspace.organizations.entries()) {
      await writeOrganization(manager, organization, `organizations[${index}]`, report);
    }
    const ids = new StableIds();
    for (const [index, recording] of workspace.recordings.entries()) {
      const id = recording.id ?? ids.next(asWritten(recording), recording.createdAt);
      await this.writeRecording(manager, { ...recording, id }, `recordings[${index}]`, { report, stored });
    }
    return report;
  }

  private async writeUser(
    manager: EntityManager,
    input: WorkspaceUser,
    at: string,
    report: ImportReport,
  ): Promise<void> {
    const existing = await new WorkspaceReferences(manager).user(input.email);
    if (existing && input.id && existing.id !== input.id) {
      throw new WorkspaceError([`${at}.id: "${input.email}" already exists with the id ${existing.id}`]);
    }
    if (!existing && input.id && (await manager.existsBy(User, { id: input.id }))) {
      throw new WorkspaceError([`${at}.id: already belongs to another user`]);
    }
    const { email, name, plan } = input;
    const id = existing?.id ?? input.id ?? newId();
    count(report.users, existing);
    if (!existing) await manager.insert(User, { id, email, name, plan });
    for (const [index, apiKey] of input.apiKeys.entries()) {
      const known = await manager.findOneBy(ApiKey, { hash: hashSecret(apiKey.key) });
      if (known && known.userId !== id) {
        throw new WorkspaceError([`${at}.apiKeys[${index}].key: already belongs to another user`]);
      }
      count(report.apiKeys, known);
      if (!known) await this.apiKeys.issue(manager, id, apiKey);
    }
  }

  private async writeRecording(
    manager: EntityManager,
    input: ReadRecording & { readonly id: string },
    at: string,
    { report, stored }: { report: ImportReport; stored: string[] },
  ): Promise<void> {
    const { id } = input;
    const references = new WorkspaceReferences(manager);
    const owner = await references.requireUser(input.owner, `${at}.owner`);
    if (input.folder && !input.organization)
      throw new WorkspaceError([`${at}.folder: requires organization`]);
    const organization = input.organization
      ? await references.requireOrganization(input.organization, `${at}.organization`)
      : null;
    const folder =
      organization && input.folder
        ? await references.requireFolder(organization, input.folder, `${at}.folder`)
        : null;
    const exists = await manager.existsBy(Recording, { id });
    count(report.recordings, exists);
    if (exists) return;

    const createdAt = input.createdAt ?? input.startedAt ?? this.clock.now();
    const media = input.mediaPath
      ? await this.media.store(id, basename(input.mediaPath), createReadStream(input.mediaPath))
      : null;
    if (media?.mediaKey) stored.push(media.mediaKey);
    await manager.insert(Recording, {
      id,
      ownerId: owner.id,
      organizationId: organization?.id ?? null,
      folderId: folder?.id ?? null,
      title: input.title,
      status: input.status,
      progress: input.progress ?? (isPlayable(input.status) ? 1 : 0),
      notes: input.notes,
      createdAt,
      updatedAt: createdAt,
      startedAt: input.startedAt ?? null,
      endedAt: input.endedAt ?? null,
      autoTranscribe: input.transcribe ?? false,
      language: input.language ?? null,
      storedBytes: 0,
      ...media,
    });
    if (media && isPackaged(input.status)) {
      const jobOwner = { userId: owner.id, organizationId: organization?.id ?? null };
      await this.packaging.enqueue(manager, id, jobOwner, { later: true });
    }
    if (input.transcriptContent) {
      await this.transcripts.write(manager, id, input.transcriptContent, {
        cause: 'import',
        userId: null,
      });
    }
    if (input.summaryContent) {
      await this.summaries.replace(manager, id, input.summaryContent, input.summaryHtml);
    }
    // Writing a transcript or a summary has already done so.
    if (!input.transcriptContent && !input.summaryContent) {
      await this.searchIndex.refresh(manager, id, { texts: true });
    }
  }
}

/**
 * What identifies an entry of the file: without what was derived from it, and without instructions, so that adding one to a
 * file that has been imported does not create a second recording.
 */
const asWritten = (recording: ReadRecording): object => ({
  ...recording,
  transcribe: undefined,
  language: undefined,
  transcriptContent: null,
  summaryContent: null,
  summaryHtml: null,
  mediaPath: null,
});

/** Media of a playable recording gets renditions and a thumbnail; other media is stored as is. */
const isPackaged = (status: RecordingStatus): boolean => isPlayable(status) || status === 'PROCESSING';
