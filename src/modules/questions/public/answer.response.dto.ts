import { OmitType } from '@nestjs/swagger';
import {
  EnumProperty,
  DecimalProperty,
  IdProperty,
  NestedProperty,
  TextProperty,
  IntegerProperty,
} from '../../../platform/openapi/field.decorator.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';

const ANSWER_MODES = ['written', 'passages'] as const;

/** A segment, or part of one, that supports an answer. */
export class Citation {
  @IntegerProperty('Id of the transcript segment', { example: 42 })
  id: number;

  @DecimalProperty('Start, in seconds from the beginning of the recording', { example: 645.2 })
  start: number;

  @DecimalProperty('End, in seconds from the beginning of the recording', { example: 651.8 })
  end: number;

  @TextProperty('Speaker label; empty if not known', { example: 'Ada' })
  speaker: string;

  @TextProperty('What was said, verbatim', { example: 'Winter routes go live on Monday.' })
  quote: string;
}

export class QuestionAnswer {
  @EnumProperty(
    '`written`: a chat server generated the answer from the cited segments. `passages`: the answer consists of the passages that match best, verbatim',
    { values: ANSWER_MODES, name: 'AnswerMode', example: 'passages' },
  )
  mode: (typeof ANSWER_MODES)[number];

  @TextProperty('The answer', { example: 'Ada (10:45): "Winter routes go live on Monday."' })
  answer: string;

  @TextProperty('Why there is no written answer, or nothing that supports one; null if there is', {
    example: 'No chat server is configured to write an answer; these are the passages that match best.',
    nullable: true,
  })
  notice: string | null;

  @NestedProperty(() => [Citation], 'Segments that support the answer; empty if nothing matches')
  citations: Citation[];
}

export class MeetingCitation extends Citation {
  @IdProperty('Id of the recording', { example: EXAMPLE_IDS.recording })
  recordingId: string;

  @TextProperty('Title of the recording', { example: 'Winter planning' })
  title: string;
}

export class MeetingsQuestionAnswer extends OmitType(QuestionAnswer, ['citations']) {
  @NestedProperty(
    () => [MeetingCitation],
    'Segments that support the answer, each with its recording; empty if nothing matches',
  )
  citations: MeetingCitation[];
}

/** An answer before it is said why it is none. */
export type PlainAnswer = Omit<QuestionAnswer, 'notice'>;
