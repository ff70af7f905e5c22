import { Controller, Get, Headers, Param, Post } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { ApiIdParam, ApiTargetIdParam } from '../../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../../platform/http/current-caller.decorator.js';
import { AcceptsRevision, Precondition } from '../../../platform/http/revisions.js';
import { reply, type Reply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import { presentRevision, RevisionItem } from '../dto/transcript-revision.response.dto.js';
import { TranscriptRevisionsService } from './transcript-revisions.service.js';

const ACCESS = [
  'RECORDING_NOT_FOUND',
  'ORGANIZATION_SUBSCRIPTION_EXPIRED',
  'RECORDING_LOCKED',
  'TRANSCRIPT_NOT_AVAILABLE',
] as const;

@ApiTags('Transcripts')
@Controller('recordings')
export class TranscriptRevisionsController {
  constructor(private readonly revisions: TranscriptRevisionsService) {}

  @Get(':id/transcript/revisions')
  @ApiIdParam('recording')
  @Endpoint({
    summary: 'List transcript revisions',
    description:
      'The current content of the transcript and up to nine before it, newest first; empty before the first. Importing, correcting, renaming speakers, transcribing and restoring each make a revision.',
    reply: RevisionItem,
    compressed: true,
    many: true,
    errors: ACCESS,
  })
  async listRevisions(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
  ): Promise<Reply<RevisionItem[]>> {
    return reply((await this.revisions.list(caller, id)).map(presentRevision));
  }

  @Post(':id/transcript/revisions/:revision/restore')
  @ApiTargetIdParam('recording')
  @ApiParam({
    name: 'revision',
    description: 'Number of the revision',
    schema: { type: 'integer' },
    example: 1,
  })
  @AcceptsRevision()
  @Endpoint({
    summary: 'Restore a transcript revision',
    description:
      'Makes the content of an earlier revision the current one, as a new revision, which it returns: segments, speakers, language and duration. A transcription in progress is dropped, as by an import.',
    status: 201,
    location: '/recordings/:id/transcript',
    reply: RevisionItem,
    errors: [...ACCESS, 'FORBIDDEN', 'TRANSCRIPT_REVISION_NOT_FOUND', 'PRECONDITION_FAILED'],
  })
  async restoreRevision(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('revision') revision: string,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<Reply<RevisionItem>> {
    const restored = await this.revisions.restore(caller, id, revision, Precondition.of(ifMatch));
    return reply(presentRevision(restored, 0));
  }
}
