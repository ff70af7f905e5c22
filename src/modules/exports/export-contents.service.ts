import { text } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { TRANSCRIPT_FORMATS } from '../../lib/transcript-formats/written-formats.js';
import type { ZippedFile } from '../../lib/zip.js';
import { ObjectMissingError, ObjectStore } from '../../platform/storage/object-store.js';
import { withoutKey } from '../../policy/caller.js';
import type { CapabilityReason } from '../../policy/capabilities.js';
import { MediaService } from '../media/media.service.js';
import { downloadName } from '../media/public/file-headers.js';
import { findHeardTracks } from '../media/public/heard-tracks.queries.js';
import { NO_MEDIA_URLS } from '../media/public/media-urls.js';
import { presentDetail } from '../recordings/public/recording-detail.response.dto.js';
import type { OpenRecording } from '../recordings/access/recording-access.service.js';
import { RecordingsService } from '../recordings/recordings.service.js';
import { summaryMarkdown } from '../summaries/public/summary-markdown.js';
import { completedSummary } from '../summaries/public/summaries.sql.js';
import { presentSummaryContent, type ReadSummary } from '../summaries/public/summary.response.dto.js';
import { TranscriptExportService } from '../transcripts/transcript-export.service.js';
import type { WrittenFiles } from '../workspace/public/workspace-writer.js';
import { findHeldVersions } from './exports.queries.js';

/** What an export leaves out of a recording, and why: an error code, or the reason of a capability. */
export interface LeftOut {
  readonly recordingId: string;
  readonly what: 'recording' | 'media' | 'transcript' | 'summary';
  readonly reason: string;
}

type FilesOf<Result> = AsyncGenerator<ZippedFile, Result>;

const NO_URLS = { media: NO_MEDIA_URLS, thumbnail: null };

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Reads what a user may see of recordings as files of exports. Their names come from ids alone. */
@Injectable()
export class ExportContentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly recordings: RecordingsService,
    private readonly media: MediaService,
    private readonly transcripts: TranscriptExportService,
    private readonly objects: ObjectStore,
  ) {}

  /** The files of a recording. Returns null if it is left out, as whatever is added to `leftOut`. */
  async *filesOf(userId: string, recordingId: string, leftOut: LeftOut[]): FilesOf<WrittenFiles | null> {
    const leave = (what: LeftOut['what'], reason: string): null => {
      leftOut.push({ recordingId, what, reason });
      return null;
    };
    async function* part(what: LeftOut['what'], refused: CapabilityReason | null, files: FilesOf<string>) {
      if (refused) return leave(what, refused.reason);
      try {
        return yield* files;
      } catch (error) {
        return leave(what, reasonOf(error));
      }
    }
    const recording = await this.recordings
      .getFor(withoutKey(userId), recordingId)
      .catch((error: unknown) => leave('recording', reasonOf(error)));
    if (!recording) return null;
    const { row, access } = recording;
    const { canDownload, canViewTranscription, canViewSummary } = access.reasons;
    const summary = completedSummary(row);
    yield { path: `metadata/${recordingId}.json`, content: json(presentDetail(recording, NO_URLS)) };
    yield* this.versions(userId, recordingId);
    return {
      // First, as it may have changed by the time that media is copied.
      transcript:
        access.transcription === 'completed'
          ? yield* part('transcript', canViewTranscription, this.transcript(userId, recording))
          : null,
      media: access.media === 'none' ? null : yield* part('media', canDownload, this.mediaFiles(recordingId)),
      summary: summary && (yield* part('summary', canViewSummary, summaryFiles(row, summary))),
      isLocked: access.locked,
    };
  }

  /** What was overwritten in it under legal hold, for those who may know. */
  private async *versions(userId: string, recordingId: string): FilesOf<void> {
    for (let page = 1; ; page++) {
      const versions = await findHeldVersions(this.dataSource.manager, userId, recordingId, page);
      if (versions.length === 0) return;
      yield { path: `versions/${recordingId}/${page}.json`, content: json(versions) };
    }
  }

  /**
   * The file as it was uploaded and, if that was converted, the one that is played; then the tracks with sound. Returns
   * the path of the first.
   */
  private async *mediaFiles(recordingId: string): FilesOf<string> {
    const { mediaKey, mediaType, sourceKey, sourceType } = await this.media.find(recordingId);
    const file = async (name: string, key: string | null, type: string | null): Promise<ZippedFile> => {
      const path = `media/${recordingId}/${downloadName(name, type ?? 'application/octet-stream')}`;
      const found = key === null ? null : await this.objects.stat(key);
      if (key === null || !found) throw new ObjectMissingError(key ?? recordingId);
      return { path, content: await this.objects.get(key), size: found.size };
    };
    if (sourceKey !== null) yield await file('playable', mediaKey, mediaType);
    const original = await file(
      'original',
      sourceKey ?? mediaKey,
      sourceKey === null ? mediaType : sourceType,
    );
    yield original;
    const tracks = await findHeardTracks(this.dataSource.manager, recordingId);
    for (const { id, sourceKey: key, sourceType: type } of tracks) yield await file(`track-${id}`, key, type);
    if (tracks.length > 0) {
      const facts = tracks.map(({ id, name, kind, offset, language }) => ({
        id,
        name,
        kind,
        offset,
        language,
      }));
      yield { path: `media/${recordingId}/tracks.json`, content: json(facts) };
    }
    return original.path;
  }

  /** One revision in all formats. Returns the path of the one that is imported. */
  private async *transcript(userId: string, recording: OpenRecording): FilesOf<string> {
    const path = `transcripts/${recording.row.id}`;
    // Read as a whole before any of it is written: it may change meanwhile.
    const files: ZippedFile[] = [];
    for (const format of TRANSCRIPT_FORMATS) {
      const { content } = await this.transcripts.file(recording, format, userId);
      files.push({ path: `${path}.${format}`, content: await text(content) });
    }
    yield* files;
    return `${path}.json`;
  }
}

/** Returns the path of the file that is imported. */
async function* summaryFiles({ id, title }: OpenRecording['row'], summary: ReadSummary): FilesOf<string> {
  yield { path: `summaries/${id}.md`, content: summaryMarkdown(title, summary) };
  yield { path: `summaries/${id}.json`, content: json(presentSummaryContent(summary)) };
  return `summaries/${id}.json`;
}

/** Why something is left out: recordings are deleted, locked and changed while an export runs. Throws other failures. */
function reasonOf(error: unknown): string {
  if (error instanceof ObjectMissingError) return 'MEDIA_MISSING';
  // A transcript that changed while it was read is for another attempt to read.
  if (error instanceof DomainError && error.code !== 'CONFLICT') return error.code;
  throw error;
}
