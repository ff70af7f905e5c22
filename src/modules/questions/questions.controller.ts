import { Body, Controller, Post } from '@nestjs/common';
import { ClientGone } from '../../platform/http/requests/client-gone.decorator.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { RECORDING_REFUSALS } from '../../contract/error-responses.js';
import { IdParam } from '../../contract/id-param.decorator.js';
import { reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import { MeetingsQuestionAnswer, QuestionAnswer } from './public/answer.response.dto.js';
import { AskMeetingsDto, AskQuestionDto } from './dto/questions.dto.js';
import { QuestionsService } from './questions.service.js';

@ApiTags('Questions')
@Controller()
export class QuestionsController {
  constructor(private readonly questions: QuestionsService) {}

  @Post('recordings/:id/questions')
  @Endpoint({
    summary: 'Ask a question',
    scope: 'questions',
    description:
      'Answers from the transcript alone and cites its segments. With a chat server, the answer is generated and each citation is checked against the transcript; without one, it consists of the passages that match best.',
    costly: true,
    reply: QuestionAnswer,
    errors: [...RECORDING_REFUSALS, 'TRANSCRIPT_NOT_AVAILABLE', 'CONFLICT'],
  })
  async askQuestion(
    @CurrentCaller() caller: Caller,
    @IdParam('recording') id: string,
    @Body() { question }: AskQuestionDto,
    @ClientGone() signal: AbortSignal,
  ) {
    return reply(await this.questions.ask(caller, id, question, signal));
  }

  @Post('questions')
  @Endpoint({
    summary: 'Ask a question about all recordings',
    scope: 'questions',
    description:
      'Answers from the transcripts of all recordings that the caller may ask about, or of those that pass the filters, and cites recordings, segments and speakers. Transcripts that are locked, or for which transcription or questions are off, are left out. Everything else is as for a single recording.',
    status: 200,
    costly: true,
    reply: MeetingsQuestionAnswer,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async askAboutRecordings(
    @CurrentCaller() caller: Caller,
    @Body() asked: AskMeetingsDto,
    @ClientGone() signal: AbortSignal,
  ) {
    return reply(await this.questions.askAll(caller, asked, signal));
  }
}
