import { Controller, Get, Param, Post, Put, Query, Req } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { IfMatch, Precondition } from '../../platform/http/replies/revisions.js';
import { documented } from '../../platform/http/fields/schema-body.js';
import { AcceptedFormat } from '../../platform/http/replies/text-file.js';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { RECORDING_REFUSALS } from '../../contract/error-responses.js';
import { IdParam, TargetIdParam } from '../../contract/id-param.decorator.js';
import { FILE_FORM } from '../../platform/http/bodies/one-file-form.js';
import { reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import {
  ReadSummaryDto,
  SUMMARY_FILES,
  SUMMARY_MEDIA_TYPES,
  type SummaryFormat,
  presentSummaryRevision,
  presentWholeSummaryRevision,
  SummaryRevisionContent,
  SummaryRevisionItem,
} from './dto/summaries.dto.js';
import {
  presentRecordingSummary,
  presentSummary,
  StartedSummary,
  SUMMARY_STARTED,
  SummaryResponse,
} from './public/summary.response.dto.js';
import { SummariesService } from './summaries.service.js';
import { SummaryRevisionsService } from './summary-revisions.service.js';
import { SUMMARY_SCHEMA } from './public/summary-content.dto.js';

const REVISION_PARAM = {
  name: 'revision',
  description: 'Number of the revision',
  schema: { type: 'integer' },
  example: 1,
} as const;

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
    private readonly summaries: SummariesService,
    private readonly revisions: SummaryRevisionsService,
  ) {}

  @Get(':id/summary')
  @Endpoint({
    summary: 'Get the summary',
    scope: 'recordings:read',
    description:
      'Status and content of the summary; with `format` or an `Accept` header, the summary as a file (`CONFLICT` if there is none).',
    reply: SummaryResponse,
    compressed: true,
    files: SUMMARY_MEDIA_TYPES,
    etag: 'whole',
    errors: [...RECORDING_REFUSALS, 'CONFLICT'],
  })
  async getSummary(
    @CurrentCaller() caller: Caller,
    @IdParam('recording') id: string,
    @Query() { format }: ReadSummaryDto,
    @AcceptedFormat(SUMMARY_FILES) accepted: SummaryFormat | null,
  ) {
    return presentSummary(await this.summaries.read(caller, id, format ?? accepted));
  }

  @Put(':id/summary')
  @Endpoint({
    summary: 'Import a summary',
    scope: 'summaries:write',
    description:
      'Replaces the summary, which becomes an earlier revision. Accepts `content` (Markdown) and `topics` as JSON, or the content alone as `text/markdown`; also as a file of either type in a form.',
    reply: SummaryResponse,
    shows: { as: 'ImportedSummary', scope: 'recordings:read', always: ['status', 'revision'] },
    stream: true,
    takes: {
      'application/json': {
        schema: { title: 'ImportSummaryRequest', ...documented(SUMMARY_SCHEMA) },
        example: EXAMPLE,
      },
      'text/markdown': { schema: { type: 'string' }, example: EXAMPLE.content },
      ...FILE_FORM,
    },
    errors: [...RECORDING_REFUSALS, 'PRECONDITION_FAILED'],
  })
  async importSummary(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('recording') id: string,
    @IfMatch() condition: Precondition,
    @Req() request: Request,
  ) {
    return reply(presentRecordingSummary(await this.summaries.import(caller, id, condition, request)));
  }

  @Post(':id/summary')
  @Endpoint({
    summary: 'Generate a summary',
    scope: 'summaries:write',
    description:
      'Summarizes the transcript in the background, for the first time or again. If this fails, the existing summary is kept; otherwise it becomes an earlier revision that you can restore, even if it was written by hand (`GET .../summary/revisions`). Without a chat server, the summary consists of sentences from the transcript.',
    status: 202,
    costly: true,
    reply: StartedSummary,
    errors: [...RECORDING_REFUSALS, 'CONFLICT'],
  })
  async generateSummary(@CurrentCaller() caller: Caller, @TargetIdParam('recording') id: string) {
    await this.summaries.generate(caller, id);
    return reply(SUMMARY_STARTED);
  }

  @Get(':id/summary/revisions')
  @Endpoint({
    summary: 'List summary revisions',
    scope: 'recordings:read',
    description:
      'The current summary and up to nine before it, newest first; empty before the first. Importing, generating and restoring each make a revision.',
    reply: SummaryRevisionItem,
    compressed: true,
    many: true,
    errors: RECORDING_REFUSALS,
  })
  async listSummaryRevisions(@CurrentCaller() caller: Caller, @IdParam('recording') id: string) {
    return reply((await this.revisions.list(caller, id)).map(presentSummaryRevision));
  }

  @Get(':id/summary/revisions/:revision')
  @ApiParam(REVISION_PARAM)
  @Endpoint({
    summary: 'Get a summary revision',
    scope: 'recordings:read',
    description: 'A revision with its content, to compare it with the current one.',
    reply: SummaryRevisionContent,
    compressed: true,
    errors: [...RECORDING_REFUSALS, 'SUMMARY_REVISION_NOT_FOUND'],
  })
  async getSummaryRevision(
    @CurrentCaller() caller: Caller,
    @IdParam('recording') id: string,
    @Param('revision') revision: string,
  ) {
    return reply(presentWholeSummaryRevision(await this.revisions.get(caller, id, revision)));
  }

  @Post(':id/summary/revisions/:revision/restore')
  @ApiParam(REVISION_PARAM)
  @Endpoint({
    summary: 'Restore a summary revision',
    scope: 'summaries:write',
    description:
      'Makes the content of an earlier revision the current one, as a new revision, which it returns. A summary being generated is dropped, as by an import.',
    status: 201,
    location: '/recordings/:id/summary',
    reply: SummaryRevisionItem,
    shows: { as: 'RestoredSummary', scope: 'recordings:read', always: ['revision'] },
    errors: [...RECORDING_REFUSALS, 'SUMMARY_REVISION_NOT_FOUND', 'PRECONDITION_FAILED'],
  })
  async restoreSummaryRevision(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('recording') id: string,
    @Param('revision') revision: string,
    @IfMatch() condition: Precondition,
  ) {
    const restored = await this.revisions.restore(caller, id, revision, condition);
    return reply(presentSummaryRevision(restored, 0));
  }
}
