import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../contract/domain-error.js';
import { fileNameOf } from '../../contract/file-name.js';
import type { TextFile } from '../../platform/http/text-file.js';
import type { Caller } from '../../policy/caller.js';
import { RecordingAccessService } from '../recording-access/recording-access.service.js';
import { presentRecordingSummary } from './dto/summary.response.dto.js';
import type { Summary } from './entities/summary.entity.js';
import { SummariesService } from './summaries.service.js';
import { SUMMARY_FILES, type SummaryFormat } from './summary-formats.js';
import { summaryMarkdown } from './summary-markdown.js';

/** Returns the summary, with its status or as a file. */
@Injectable()
export class SummaryReadingService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly summaries: SummariesService,
  ) {}

  async read(
    caller: Caller,
    recordingId: string,
    format: SummaryFormat | null,
  ): Promise<{ summary: Summary | null } | { file: TextFile }> {
    const { row } = await this.access.requireFeature(caller, recordingId, 'summaries');
    const summary = await this.summaries.find(row.id);
    if (!format) return { summary };
    if (summary?.status !== 'completed') {
      const status = summary?.status ?? 'not_started';
      throw new DomainError(
        'CONFLICT',
        `The summary is ${status}. It can be downloaded once it is completed.`,
      );
    }
    const text =
      format === 'md'
        ? summaryMarkdown(row.title, summary)
        : `${JSON.stringify({ data: presentRecordingSummary(summary) })}\n`;
    const { type, extension } = SUMMARY_FILES[format];
    return { file: { type, fileName: fileNameOf(row.title, extension), content: Readable.from([text]) } };
  }
}
