import { Body, Controller, Post } from '@nestjs/common';
import { ClientGone } from '../../platform/http/client-gone.decorator.js';
import { CurrentCaller } from '../../platform/http/current-caller.decorator.js';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { reply, type Reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import { MeetingsQuestionAnswer, presentMeetingsAnswer } from './dto/answer.response.dto.js';
import { AskMeetingsDto } from './dto/ask-meetings.dto.js';
import { QuestionsService } from './questions.service.js';

@ApiTags('Questions')
@Controller('questions')
export class MeetingQuestionsController {
  constructor(private readonly questions: QuestionsService) {}

  @Post()
  @Endpoint({
    summary: 'Ask a question about all recordings',
    description:
      'Answers from the transcripts of all recordings that the caller may ask about, or of those that pass the filters, and cites recordings, segments and speakers. Transcripts that are locked, or for which transcription or questions are off, are left out. Otherwise as for a question about one recording.',
    status: 200,
    costly: true,
    reply: MeetingsQuestionAnswer,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND'],
  })
  async askAboutRecordings(
    @CurrentCaller() caller: Caller,
    @Body() asked: AskMeetingsDto,
    @ClientGone() signal: AbortSignal,
  ): Promise<Reply<MeetingsQuestionAnswer>> {
    return reply(presentMeetingsAnswer(await this.questions.askAll(caller, asked, signal)));
  }
}
