import { Body, Controller, Post } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { RECORDING_REFUSALS } from '../../../contract/error-responses.js';
import { TargetIdParam } from '../../../contract/id-param.decorator.js';
import { reply, type Reply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import { TranscriptionService } from './transcription.service.js';
import {
  StartedTranscription,
  StartTranscriptionDto,
  TRANSCRIPTION_STARTED,
} from './dto/transcription.dto.js';

@ApiTags('Transcripts')
@Controller('recordings')
export class TranscriptionController {
  constructor(private readonly transcriptions: TranscriptionService) {}

  @Post(':id/transcription')
  @ApiBody({ type: StartTranscriptionDto, required: false })
  @Endpoint({
    summary: 'Start a transcription',
    scope: 'transcripts:write',
    description:
      'Transcribes the audio in the background, for the first time or again, with the speech recognition of the service or the server of `TRANSCRIPTION_URL`. If this fails, the existing transcript is kept.\n\nReturns `CONFLICT` if the recording is not playable yet, a transcription is already in progress, or the platform has no speech recognition and there is no such server.',
    status: 202,
    costly: true,
    reply: StartedTranscription,
    errors: [...RECORDING_REFUSALS, 'TRANSCRIPT_NOT_AVAILABLE', 'CONFLICT'],
  })
  async startTranscription(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('recording') id: string,
    @Body() { language }: StartTranscriptionDto,
  ): Promise<Reply<StartedTranscription>> {
    await this.transcriptions.start(caller, id, language ?? null);
    return reply(TRANSCRIPTION_STARTED);
  }
}
