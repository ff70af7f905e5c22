import { Controller, Get, Headers, Param, Post, Put, Query, Req, type StreamableFile } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentCaller } from '../../platform/http/current-caller.decorator.js';
import { Precondition, TakesRevision, TellsRevision } from '../../platform/http/revisions.js';
import { documented } from '../../platform/http/schema-body.js';
import { AcceptedFormat } from '../../platform/http/text-file.js';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { ApiIdParam } from '../../contract/id-param.decorator.js';
import { reply, type Reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import { SUMMARY_ORDERED, SummaryWork } from './dto/summary-work.response.dto.js';
import { ReadSummaryDto } from './dto/summary.dto.js';
import { presentRecordingSummary, presentSummary, RecordingSummary } from './dto/summary.response.dto.js';
import { SUMMARY_SCHEMA } from './summary-content.service.js';
import { SUMMARY_FILES, SUMMARY_MEDIA_TYPES, type SummaryFormat } from './summary-formats.js';
import { SummaryImportService } from './summary-import.service.js';
import { SummaryQueueService } from './summary-queue.service.js';
import { SummaryReadingService } from './summary-reading.service.js';

const ACCESS = [
  'RECORDING_NOT_FOUND',
  'ORGANIZATION_SUBSCRIPTION_EXPIRED',
  'RECORDING_LOCKED',
  'FORBIDDEN',
] as const;

const EXAMPLE = {
  content: '## Decisions\n\n- Launch on 12 March',
  topics: [
    {
      title: 'Launch date',
      start: 640.5,
      keyPoints: [
        { point: 'The launch moves to 12 March', details: ['The payment tests need another week'] },
      ],
    },
  ],
};

@ApiTags('Summaries')
@Controller('recordings')
export class SummariesController {
  constructor(
    private readonly reading: SummaryReadingService,
    private readonly imports: SummaryImportService,
    private readonly queue: SummaryQueueService,
  ) {}

  @Get(':id/summary')
  @ApiIdParam('recording')
  @TellsRevision()
  @Endpoint({
    summary: 'Get the summary',
    description:
      'State and content of the summary; with `format`, or `Accept`, a file of it (`CONFLICT` as long as there is none).',
    reply: RecordingSummary,
    files: SUMMARY_MEDIA_TYPES,
    errors: [...ACCESS, 'CONFLICT'],
  })
  async getSummary(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() { format }: ReadSummaryDto,
    @AcceptedFormat(SUMMARY_FILES) accepted: SummaryFormat | null,
  ): Promise<Reply<RecordingSummary> | StreamableFile> {
    return presentSummary(await this.reading.read(caller, id, format ?? accepted));
  }

  @Put(':id/summary')
  @ApiIdParam('recording')
  @TakesRevision()
  @Endpoint({
    summary: 'Send a summary',
    description:
      'Takes `content` (Markdown) and `topics`, or a body of `text/markdown` as the content alone, in place of the summary there was.',
    reply: RecordingSummary,
    stream: true,
    takes: {
      'application/json': { schema: documented(SUMMARY_SCHEMA), example: EXAMPLE },
      'text/markdown': { schema: { type: 'string' }, example: EXAMPLE.content },
    },
    errors: [...ACCESS, 'PRECONDITION_FAILED'],
  })
  async importSummary(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: Request,
  ): Promise<Reply<RecordingSummary>> {
    return reply(
      presentRecordingSummary(await this.imports.import(caller, id, Precondition.of(ifMatch), request)),
    );
  }

  @Post(':id/summary')
  @ApiIdParam('recording')
  @Endpoint({
    summary: 'Generate a summary',
    description:
      'Orders a summary of the transcript, the first one or a new one; a job makes it. One that fails leaves the summary that was there. Without a chat server it is made of the sentences of the transcript.',
    status: 202,
    reply: SummaryWork,
    errors: [...ACCESS, 'CONFLICT'],
  })
  async generateSummary(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
  ): Promise<Reply<SummaryWork>> {
    await this.queue.start(caller, id);
    return reply(SUMMARY_ORDERED);
  }
}
