import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError, invalid } from '../../contract/domain-error.js';
import { readFile } from '../../platform/http/bodies/sent-file.js';
import type { Precondition } from '../../platform/http/replies/revisions.js';
import { LIMITS } from '../../contract/limits.js';
import { AUTO } from '../../lib/language/language-codes.js';
import { ConfinedParser } from '../../platform/work/confined-parser.service.js';
import { WorkLimitError, WorkPool } from '../../platform/work/work-pool.service.js';
import type { Caller } from '../../policy/caller.js';
import { ContentService } from '../pipeline/content.service.js';
import { RecordingAccessService, type OpenRecording } from '../recordings/access/recording-access.service.js';
import type { SendTranscriptDto } from './dto/import-transcript.dto.js';
import { Transcript } from './entities/transcript.entity.js';
import { PARSE_TRANSCRIPT } from './tasks/parse-transcript.task.js';
import { READ_TRANSCRIPT, type ParsedFile, type ReadFile } from './tasks/read-transcript.task.js';
import type { ReadingOptions } from '../../lib/transcript-formats/transcript-formats.js';
import { TranscriptsService } from './transcripts.service.js';

/** A file of 20 MiB takes two seconds. */
const SECONDS = 60;
const TOO_COSTLY = 'body: reading this file exceeds the limit on time or memory; send it in a simpler form';

export interface ImportResult extends Pick<ReadFile, 'skipped' | 'skippedCount'> {
  readonly recording: OpenRecording;
}

/** Imports transcripts that clients send. */
@Injectable()
export class TranscriptImportService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly content: ContentService,
    private readonly parser: ConfinedParser,
    private readonly pool: WorkPool,
    private readonly transcripts: TranscriptsService,
  ) {}

  /** Replaces the transcript. Callers without permission are refused before the body is read. */
  async import(
    caller: Caller,
    recordingId: string,
    { language, lenient }: SendTranscriptDto,
    precondition: Precondition,
    request: Request,
  ): Promise<ImportResult> {
    const { row } = await this.access.requireFeatureEdit(caller, recordingId, 'transcription');
    return this.content.queueImport(caller.id, async () => {
      const { bytes, contentType } = await readFile(request, request.res!, LIMITS.transcriptFile);
      const options = { contentType, lenient };
      const { transcript, skipped, skippedCount } = await this.read(
        caller,
        bytes,
        { language: language === AUTO ? null : (language ?? null), duration: row.duration },
        options,
      );
      const change = { type: Transcript, recordingId: row.id, condition: precondition };
      await this.content.change(caller, change, (manager) =>
        this.transcripts.replace(manager, row.id, transcript, { cause: 'import', userId: caller.id }),
      );
      return { recording: await this.access.requireReadable(caller, row.id), skipped, skippedCount };
    });
  }

  /** Parses the file in a confined process, and prepares what comes back in a thread. */
  private async read(
    caller: Caller,
    file: Uint8Array,
    known: Pick<ParsedFile, 'language' | 'duration'>,
    options: ReadingOptions,
  ): Promise<ReadFile> {
    try {
      const limits = { caller: caller.id, seconds: SECONDS };
      const bytes = await this.parser.run(PARSE_TRANSCRIPT, file, options, limits);
      const work = { ...limits, transfer: [bytes.buffer] };
      const read = await this.pool.run(
        READ_TRANSCRIPT,
        { ...known, bytes, lenient: options.lenient ?? false },
        work,
      );
      if ('mistake' in read) {
        throw new DomainError(
          read.unsupported ? 'UNSUPPORTED_MEDIA_TYPE' : 'VALIDATION_ERROR',
          `body: ${read.mistake}`,
        );
      }
      return read;
    } catch (error) {
      throw error instanceof WorkLimitError ? invalid(TOO_COSTLY) : error;
    }
  }
}
