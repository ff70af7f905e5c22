import { text } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { TRANSCRIPT_FORMATS } from '../../lib/transcript-formats/written-formats.js';
import type { ZipWriter } from '../../lib/zip-writer.js';
import { ObjectMissingError, ObjectStore } from '../../platform/storage/object-store.js';
import { withoutKey } from '../../policy/caller.js';
import type { CapabilityReason } from '../../policy/capabilities.js';
import { MediaService } from '../media/media.service.js';
import { downloadName } from '../media/public/file-headers.js';
import { NO_MEDIA_URLS } from '../media/public/media-urls.js';
import { presentDetail } from '../recordings/public/recording-detail.response.dto.js';
import type { OpenRecording } from '../recordings/access/recording-access.service.js';
import { RecordingsService } from '../recordings/recordings.service.js';
import { summaryMarkdown } from '../summaries/public/summary-markdown.js';
import { completedSummary } from '../summaries/public/summaries.sql.js';
import { presentSummaryContent, type ReadSummary } from '../summaries/public/summary.response.dto.js';
import { TranscriptExportService } from '../transcripts/transcript-export.service.js';
import type { WrittenFiles } from '../workspace/public/workspace-writer.js';
import { mayKnowOfHold, readHeldVersions } from './exports.queries.js';

/** What an export does not have of a recording, and why: an error code, or the reason of a capability. */
export interface LeftOut {
  readonly recordingId: string;
  readonly what: 'recording' | 'media' | 'transcript' | 'summary';
  readonly reason: string;
}

type Part = Exclude<LeftOut['what'], 'recording'>;

const NO_URLS = { media: NO_MEDIA_URLS, thumbnail: null };

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Adds what a user may see of recordings to exports. Names of files come from ids alone. */
@Injectable()
export class ExportContentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly recordings: RecordingsService,
    private readonly media: MediaService,
    private readonly transcripts: TranscriptExportService,
    private readonly objects: ObjectStore,
  ) {}

  /** Adds the files of a recording. Returns null if it is left out, as whatever is added to `leftOut`. */
  async addRecording(
    zip: ZipWriter,
    userId: string,
    recordingId: string,
    leftOut: LeftOut[],
  ): Promise<WrittenFiles | null> {
    const leave = (what: LeftOut['what'], reason: string): null => {
      leftOut.push({ recordingId, what, reason });
      return null;
    };
    const part = async (what: Part, refused: CapabilityReason | null, add: () => Promise<string | null>) =>
      refused ? leave(what, refused.reason) : unlessGone(add, (reason) => leave(what, reason));
    const recording = await unlessGone(
      () => this.recordings.getFor(withoutKey(userId), recordingId),
      (reason) => leave('recording', reason),
    );
    if (!recording) return null;
    const { row, access } = recording;
    const { canDownload, canViewTranscription, canViewSummary } = access.reasons;
    const summary = completedSummary(row);
    await zip.add(`metadata/${recordingId}.json`, json(presentDetail(recording, NO_URLS)));
    const { manager } = this.dataSource;
    if (await mayKnowOfHold(manager, recordingId, userId))
      await zip.add(`versions/${recordingId}.jsonl`, readHeldVersions(manager, recordingId));
    return {
      isLocked: access.locked,
      // First, as it may have changed by the time that media is copied.
      transcript:
        access.transcription === 'completed'
          ? await part('transcript', canViewTranscription, () => this.addTranscript(zip, userId, recording))
          : null,
      media:
        access.media === 'none'
          ? null
          : await part('media', canDownload, () => this.addMedia(zip, recordingId)),
      summary: summary && (await part('summary', canViewSummary, () => addSummary(zip, row, summary))),
    };
  }

  /** The file as it was uploaded and, if that was converted, the one that is played. Returns the path of the former. */
  private async addMedia(zip: ZipWriter, recordingId: string): Promise<string | null> {
    const { mediaKey, mediaType, sourceKey, sourceType } = await this.media.find(recordingId);
    const add = async (key: string, name: string, type: string | null): Promise<string> => {
      const path = `media/${recordingId}/${downloadName(name, type ?? 'application/octet-stream')}`;
      const found = await this.objects.stat(key);
      if (!found) throw new ObjectMissingError(key);
      await zip.add(path, { stream: await this.objects.get(key), size: found.size });
      return path;
    };
    if (mediaKey === null) return null;
    if (sourceKey === null) return add(mediaKey, 'original', mediaType);
    await add(mediaKey, 'playable', mediaType);
    return add(sourceKey, 'original', sourceType);
  }

  /** Adds all formats of one revision. Returns the path of the one that is imported. */
  private async addTranscript(zip: ZipWriter, userId: string, recording: OpenRecording): Promise<string> {
    const path = `transcripts/${recording.row.id}`;
    // Read as a whole before any of it is written: it may change meanwhile.
    const files: [path: string, content: string][] = [];
    for (const format of TRANSCRIPT_FORMATS) {
      const { content } = await this.transcripts.file(recording, format, userId);
      files.push([`${path}.${format}`, await text(content)]);
    }
    for (const [name, content] of files) await zip.add(name, content);
    return `${path}.json`;
  }
}

/** Returns the path of the file that is imported. */
async function addSummary(
  zip: ZipWriter,
  { id, title }: OpenRecording['row'],
  summary: ReadSummary,
): Promise<string> {
  await zip.add(`summaries/${id}.md`, summaryMarkdown(title, summary));
  await zip.add(`summaries/${id}.json`, json(presentSummaryContent(summary)));
  return `summaries/${id}.json`;
}

/** Recordings are deleted, locked and changed while an export runs. */
async function unlessGone<T>(work: () => Promise<T>, gone: (reason: string) => null): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ObjectMissingError) return gone('MEDIA_MISSING');
    // A transcript that changed while it was read is for another attempt to read.
    if (error instanceof DomainError && error.code !== 'CONFLICT') return gone(error.code);
    throw error;
  }
}
