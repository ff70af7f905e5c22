import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Request } from 'express';
import type { DataSource } from 'typeorm';
import { DomainError } from '../../platform/errors/domain-error.js';
import { readBytes } from '../../platform/http/body.js';
import type { Precondition } from '../../platform/http/revisions.js';
import { languageOfSegments } from '../../platform/language/detect-language.js';
import { LIMITS } from '../../platform/limits.js';
import type { Caller } from '../../policy/caller.js';
import { ContentWorkService } from '../recordings/content-work.service.js';
import { RecordingAccessService, type OpenRecording } from '../recordings/recording-access.service.js';
import type { SendTranscriptDto } from './dto/send-transcript.dto.js';
import { Transcript } from './entities/transcript.entity.js';
import { TranscriptFileError, TranscriptFilesService, type SkippedPart } from './transcript-files.service.js';
import { TranscriptsService } from './transcripts.service.js';

export interface TakenTranscript {
  readonly recording: OpenRecording;
  readonly skipped: readonly SkippedPart[];
  /** How many there are in all; `skipped` lists the first ones. */
  readonly skippedCount: number;
}

/** Transcripts that are sent in. */
@Injectable()
export class TranscriptIntakeService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly work: ContentWorkService,
    private readonly files: TranscriptFilesService,
    private readonly transcripts: TranscriptsService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Puts the file in the place of the transcript that there was. Who may not send one is refused before it is read. */
  async take(
    caller: Caller,
    recordingId: string,
    { language, lenient }: SendTranscriptDto,
    precondition: Precondition,
    request: Request,
  ): Promise<TakenTranscript> {
    const { row } = await this.access.useToChange(caller, recordingId, 'transcription');
    const bytes = await readBytes(request, request.res!, LIMITS.transcriptFile);
    const { skipped, skippedCount, ...transcript } = await this.read(bytes, {
      contentType: request.get('Content-Type'),
      language,
      lenient: lenient === 'true',
    });
    await this.dataSource.transaction(async (manager) => {
      await this.work.lock(manager, row.id);
      const existing = await manager.findOneBy(Transcript, { recordingId: row.id });
      precondition.require(existing?.revision ?? 0);
      await this.transcripts.replace(manager, row.id, transcript);
    });
    return { recording: await this.access.read(caller, row.id), skipped, skippedCount };
  }

  private async read(
    bytes: Uint8Array,
    { contentType, language, lenient }: { contentType?: string; language?: string; lenient: boolean },
  ) {
    if (bytes.length === 0) {
      throw new DomainError('VALIDATION_ERROR', 'body: send WebVTT, SRT or JSON; this one is empty');
    }
    try {
      const read = this.files.read(bytes, { contentType, lenient });
      const known = language ?? read.language;
      return { ...read, language: known ?? (await languageOfSegments(read.segments)) };
    } catch (error) {
      if (!(error instanceof TranscriptFileError)) throw error;
      throw new DomainError('VALIDATION_ERROR', `body: ${error.message}`);
    }
  }
}
