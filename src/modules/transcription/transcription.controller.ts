import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { CurrentCaller } from '../../platform/http/current-caller.decorator.js';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { ApiIdParam } from '../../contract/id-param.decorator.js';
import { reply, type Reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import { StartTranscriptionDto } from './dto/start-transcription.dto.js';
import { TRANSCRIPTION_ORDERED, TranscriptionWork } from './dto/transcription.response.dto.js';
import { TranscriptionQueueService } from './transcription-queue.service.js';

@ApiTags('Transcripts')
@Controller('recordings')
export class TranscriptionController {
  constructor(private readonly queue: TranscriptionQueueService) {}

  @Post(':id/transcription')
  @ApiIdParam('recording')
  @ApiBody({ type: StartTranscriptionDto, required: false })
  @Endpoint({
    summary: 'Start a transcription',
    description:
      'Orders a transcription, the first one or a new one; a job makes it. One that fails leaves the transcript that was there. `CONFLICT` when this service is not set up to transcribe (it names the missing setting), the recording does not play yet, or a transcription is under way.',
    status: 202,
    reply: TranscriptionWork,
    errors: [
      'RECORDING_NOT_FOUND',
      'ORGANIZATION_SUBSCRIPTION_EXPIRED',
      'RECORDING_LOCKED',
      'TRANSCRIPT_NOT_AVAILABLE',
      'FORBIDDEN',
      'CONFLICT',
    ],
  })
  async startTranscription(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { language }: StartTranscriptionDto,
  ): Promise<Reply<TranscriptionWork>> {
    await this.queue.start(caller, id, language ?? null);
    return reply(TRANSCRIPTION_ORDERED);
  }
}
