import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentCaller } from '../../platform/http/current-caller.decorator.js';
import { Endpoint } from '../../platform/openapi/endpoint.decorator.js';
import { ApiIdParam } from '../../platform/openapi/id-param.decorator.js';
import { reply, type Reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import { TranscriptPageDto } from './dto/transcript-page.dto.js';
import { presentTranscriptPage, TranscriptPage } from './dto/transcript-page.response.dto.js';
import { TranscriptsService } from './transcripts.service.js';

@ApiTags('Transcripts')
@Controller('recordings')
export class TranscriptsController {
  constructor(private readonly transcripts: TranscriptsService) {}

  @Get(':id/transcript')
  @ApiIdParam('recording')
  @Endpoint({
    summary: 'Get transcript segments',
    description:
      'A page of the transcript, counted in chunks of 20 segments. A recording that is not transcribed yet answers with `status` `not_started` and no segments.',
    reply: TranscriptPage,
    errors: [
      'RECORDING_NOT_FOUND',
      'ORGANIZATION_SUBSCRIPTION_EXPIRED',
      'RECORDING_LOCKED',
      'TRANSCRIPT_NOT_AVAILABLE',
    ],
  })
  async page(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() { start_chunk: startChunk, limit }: TranscriptPageDto,
  ): Promise<Reply<TranscriptPage>> {
    return reply(presentTranscriptPage(await this.transcripts.page(caller, id, startChunk, limit)));
  }
}
