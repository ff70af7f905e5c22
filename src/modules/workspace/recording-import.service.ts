import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { isPlayable, type RecordingStatus } from '../../policy/recording-status.js';
import { MediaService } from '../media/media.service.js';
import { PackagingQueueService } from '../packaging-queue/packaging-queue.service.js';
import { Recording } from '../recording-access/entities/recording.entity.js';
import { SearchIndexService } from '../search-index/search-index.service.js';
import { SummariesService } from '../summaries/summaries.service.js';
import { TranscriptsService } from '../transcripts/transcripts.service.js';
import type { ImportRun } from './import-run.js';
import type { FoundFolder, FoundOrganization } from './organization-state.js';
import { existingRecordings } from './recording-state.js';
import { StableIds } from './stable-id.js';
import type { FoundUser } from './workspace-directory.js';
import type { ReadRecording } from './workspace-reader.service.js';
import { WorkspaceError } from './workspace.error.js';

/** A recording of the file with what its names stand for. */
export interface ResolvedRecording {
  readonly id: string;
  readonly at: string;
  readonly input: ReadRecording;
  readonly owner: FoundUser;
  readonly organization: FoundOrganization | null;
  readonly folder: FoundFolder | null;
}

/** Creates the recordings of a workspace file that do not exist yet. */
@Injectable()
export class RecordingImportService {
  constructor(
    private readonly media: MediaService,
    private readonly packaging: PackagingQueueService,
    private readonly transcripts: TranscriptsService,
    private readonly summaries: SummariesService,
    private readonly searchIndex: SearchIndexService,
    private readonly clock: Clock,
  ) {}

  /** Returns those that exist. Adds the keys of the media files that it has stored to `stored`. */
  async create(
    run: ImportRun,
    inputs: readonly ReadRecording[],
    stored: string[],
  ): Promise<ResolvedRecording[]> {
    const ids = new StableIds();
    const recordings = inputs.map((input, index) => ({
      id: input.id ?? ids.next(asWritten(input), input.createdAt),
      at: `recordings[${index}]`,
      input,
    }));
    const known = await existingRecordings(
      run.manager,
      recordings.map(({ id }) => id),
    );
    const existing: ResolvedRecording[] = [];
    for (const recording of recordings) {
      const resolved = resolve(run, recording);
      if (known.has(recording.id)) existing.push(resolved);
      else await this.write(run, resolved, stored);
    }
    return existing;
  }

  private async write(run: ImportRun, recording: ResolvedRecording, stored: string[]): Promise<void> {
    const { manager } = run;
    const { id, input, owner, organization, folder } = recording;
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
      notes: input.notes ?? '',
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
      const origin = { cause: 'import', userId: null } as const;
      await this.transcripts.write(manager, id, input.transcriptContent, origin);
    }
    if (input.summaryContent) {
      const { summaryContent, summaryHtml } = input;
      await this.summaries.replace(manager, id, summaryContent, summaryHtml, { fromWorkspace: true });
    }
    // Writing a transcript or a summary has already done so.
    if (!input.transcriptContent && !input.summaryContent) {
      await this.searchIndex.refresh(manager, id, { texts: true });
    }
    run.log.created('recordings');
  }
}

function resolve(
  { directory }: ImportRun,
  { id, at, input }: Pick<ResolvedRecording, 'id' | 'at' | 'input'>,
): ResolvedRecording {
  const owner = directory.requireUser(input.owner, `${at}.owner`);
  if (input.folder && !input.organization) throw new WorkspaceError([`${at}.folder: requires organization`]);
  const organization = input.organization
    ? directory.requireOrganization(input.organization, `${at}.organization`)
    : null;
  const folder = organization && input.folder ? (organization.folders.get(input.folder) ?? null) : null;
  if (organization && input.folder && !folder) {
    throw new WorkspaceError([`${at}.folder: no folder "${input.folder}" in "${organization.name}"`]);
  }
  return { id, at, input, owner, organization, folder };
}

/**
 * What identifies an entry of the file that has no id. Without instructions, so that adding one to a file that has been
 * imported does not create a second recording. What earlier releases hashed must stay the same to the letter: the order of
 * the fields, the empty notes and the nulls.
 */
function asWritten(input: ReadRecording): object {
  const { owner, organization, folder, title, status, progress, notes = '', createdAt } = input;
  const { startedAt, endedAt, media, transcript, summary } = input;
  return {
    owner,
    organization,
    folder,
    title,
    status,
    progress,
    notes,
    createdAt,
    startedAt,
    endedAt,
    media,
    transcript,
    summary,
    mediaPath: null,
    transcriptContent: null,
    summaryContent: null,
    summaryHtml: null,
  };
}

/** Media of a playable recording gets renditions and a thumbnail; other media is stored as is. */
const isPackaged = (status: RecordingStatus): boolean => isPlayable(status) || status === 'PROCESSING';
