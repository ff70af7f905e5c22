import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { Clock } from '../../platform/clock/clock.js';
import { mapViolations } from '../../platform/database/database-errors.js';
import { quoteForMessage } from '../../lib/text.js';
import { isPlayable, type RecordingStatus } from '../../policy/recording-status.js';
import { ContentKeysService } from '../media/keys/content-keys.service.js';
import { MediaService } from '../media/media.service.js';
import { PipelineService } from '../pipeline/pipeline.service.js';
import { Recording } from '../recordings/access/entities/recording.entity.js';
import { SearchIndexService } from '../search/index/search-index.service.js';
import { SummariesService } from '../summaries/summaries.service.js';
import { TranscriptsService } from '../transcripts/transcripts.service.js';
import type { ImportRun } from './import-run.js';
import type { Folder } from '../organizations/entities/folder.entity.js';
import type { Organization } from '../organizations/entities/organization.entity.js';
import type { User } from '../users/entities/user.entity.js';
import type { ReadRecording } from './workspace-reader.service.js';
import { externalIdTaken, WorkspaceError } from './workspace.error.js';

/** A recording of the file with what its names stand for. */
interface ResolvedRecording {
  readonly id: string;
  readonly input: ReadRecording;
  readonly owner: User | null;
  readonly organization: Organization | null;
  readonly folder: Folder | null;
}

/** Creates the recordings of a workspace file that do not exist yet. */
@Injectable()
export class RecordingImportService {
  constructor(
    private readonly media: MediaService,
    private readonly keys: ContentKeysService,
    private readonly pipeline: PipelineService,
    private readonly transcripts: TranscriptsService,
    private readonly summaries: SummariesService,
    private readonly searchIndex: SearchIndexService,
    private readonly clock: Clock,
  ) {}

  /** Adds the keys of the media files that it has stored to `stored`. */
  async import(run: ImportRun, inputs: readonly ReadRecording[], stored: string[]): Promise<void> {
    const seen = new Map<string, number>();
    for (const [index, input] of inputs.entries()) {
      const id = input.id ?? stableId(input, seen);
      const resolved = { id, ...(await resolve(run, input, `recordings[${index}]`)) };
      const found = await run.manager.findOneBy(Recording, { id });
      if (found) await this.compare(run, resolved, found);
      else await this.write(run, resolved, stored);
    }
  }

  /** Compares of media only whether there is any: what is stored has been converted. */
  private async compare(
    run: ImportRun,
    { input, owner, organization, folder }: ResolvedRecording,
    found: Recording,
  ): Promise<void> {
    const { id, title } = found;
    const { media, transcriptContent: transcript, summaryContent: summary } = input;
    run.compare('recordings', `recording ${quoteForMessage(title)} (${id})`, {
      deleted: [found.deletedAt !== null, false],
      owner: [found.ownerId ?? found.deletedOwnerId, owner?.id ?? null],
      organization: [
        found.organizationId ?? found.deletedOrganizationId,
        idOf(input.organization, organization),
      ],
      folder: [found.folderId ?? found.deletedFolderId, idOf(input.folder, folder)],
      title: [title, input.title],
      externalId: [found.externalId, input.externalId],
      metadata: [found.metadata, input.metadata],
      status: [found.status, input.status],
      progress: [found.progress, input.progress],
      notes: [found.notes, input.notes],
      createdAt: [found.createdAt, input.createdAt],
      startedAt: [found.startedAt, input.startedAt],
      endedAt: [found.endedAt, input.endedAt],
      media: [found.mediaKey !== null, media === undefined ? undefined : media !== null],
      transcribe: [found.autoTranscribe, input.transcribe],
      language: [found.language, input.language],
      transcript: [true, transcript ? await this.transcripts.has(run.manager, id, transcript) : undefined],
      summary: [true, summary ? await this.summaries.has(run.manager, id, summary) : undefined],
    });
  }

  private async write(run: ImportRun, recording: ResolvedRecording, stored: string[]): Promise<void> {
    const { manager } = run;
    const { id, input, owner, folder } = recording;
    const organizationId = recording.organization?.id ?? null;
    const createdAt = input.createdAt ?? input.startedAt ?? this.clock.now();
    // Committed at once: storing the media needs it, and this transaction must not be waited for.
    await this.keys.create(manager.dataSource.manager, id, organizationId ?? owner?.id ?? null);
    const media = input.mediaPath
      ? await this.media.store(id, basename(input.mediaPath), createReadStream(input.mediaPath))
      : null;
    if (media?.mediaKey) stored.push(media.mediaKey);
    const row = {
      id,
      externalId: input.externalId,
      metadata: input.metadata,
      ownerId: owner?.id ?? null,
      organizationId,
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
    };
    const at = `recording ${quoteForMessage(input.title)}: externalId`;
    const taken = externalIdTaken('recordings_external_id_key', at, input.externalId, 'recording there');
    await mapViolations(taken, () => manager.insert(Recording, row));
    if (media && isPackaged(input.status)) {
      const jobOwner = { userId: owner?.id ?? null, organizationId };
      await this.pipeline.follow(manager, 'imported', { recordingId: id, owner: jobOwner });
    }
    const origin = { cause: 'import', userId: null } as const;
    if (input.transcriptContent) {
      await this.transcripts.write(manager, id, input.transcriptContent, origin);
    }
    if (input.summaryContent) {
      const { summaryContent, summaryHtml } = input;
      await this.summaries.replace(manager, id, summaryContent, summaryHtml, origin);
    }
    // Writing a transcript or a summary has already done so.
    if (!input.transcriptContent && !input.summaryContent) {
      await this.searchIndex.refresh(manager, id, { texts: true });
    }
    run.created('recordings');
  }
}

async function resolve(
  { directory }: ImportRun,
  input: ReadRecording,
  at: string,
): Promise<Omit<ResolvedRecording, 'id'>> {
  const owner = input.owner === null ? null : await directory.requireUser(input.owner, `${at}.owner`);
  if (!input.organization) {
    if (input.folder) throw new WorkspaceError([`${at}.folder: requires organization`]);
    return { input, owner, organization: null, folder: null };
  }
  const organization = await directory.requireOrganization(input.organization, `${at}.organization`);
  const folder = input.folder ? await directory.findFolder(organization, input.folder) : null;
  if (input.folder && !folder) {
    throw new WorkspaceError([`${at}.folder: no folder "${input.folder}" in "${organization.name}"`]);
  }
  return { input, owner, organization, folder };
}

/** What the file says that it is: null if it says nothing but that there is none. */
const idOf = (name: string | null | undefined, named: { readonly id: string } | null) =>
  name === undefined ? undefined : (named?.id ?? null);

/**
 * The id of an entry of the file that has none, derived from all that it says of the recording, so that importing the
 * file again finds what the first import created; without instructions, which may be added later. Identical entries are
 * counted in `seen`.
 */
function stableId(input: ReadRecording, seen: Map<string, number>): string {
  const { owner, organization, folder, title, status, progress, notes, createdAt } = input;
  const { startedAt, endedAt, media, transcript, summary } = input;
  const text = JSON.stringify([
    [owner, organization, folder, title, status, progress, notes],
    [createdAt, startedAt, endedAt, media, transcript, summary],
  ]);
  const duplicates = seen.get(text) ?? 0;
  seen.set(text, duplicates + 1);
  const hash = createHash('sha256').update(`${duplicates} ${text}`).digest();
  return v7({ msecs: createdAt?.getTime() ?? 0, random: hash.subarray(0, 16), seq: hash.readUInt32BE(16) });
}

/** Media of a playable recording gets renditions and a thumbnail; other media is stored as is. */
const isPackaged = (status: RecordingStatus): boolean => isPlayable(status) || status === 'PROCESSING';
