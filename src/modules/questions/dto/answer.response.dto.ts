import {
  EnumProperty,
  DecimalProperty,
  NestedProperty,
  TextProperty,
  IntegerProperty,
} from '../../../platform/openapi/field.decorator.js';
import { ANSWER_MODES, type Answer, type AnswerMode } from '../answer.js';

export class Citation {
  @IntegerProperty({ description: 'Number of the segment in the transcript', example: 42 })
  id: number;

  @DecimalProperty({ description: 'Seconds from the start of the recording', example: 645.2 })
  start: number;

  @DecimalProperty({ description: 'Seconds from the start of the recording', example: 651.8 })
  end: number;

  @TextProperty({ description: 'Label of the speaker; empty when not known', example: 'Ada' })
  speaker: string;

  @TextProperty({ description: 'What was said, word for word', example: 'Winter routes go live on Monday.' })
  quote: string;
}

export class QuestionAnswer {
  @EnumProperty({
    values: ANSWER_MODES,
    name: 'AnswerMode',
    description:
      '`written`: a chat server wrote the answer from the cited segments. `passages`: the answer is the passages that match best, as they were said',
    example: 'passages',
  })
  mode: AnswerMode;

  @TextProperty({
    description: 'The answer',
    example: 'Amara Osei (10:45): "Winter routes go live on Monday."',
  })
  answer: string;

  @NestedProperty(() => [Citation], { description: 'What the answer rests on; empty when nothing matches' })
  citations: Citation[];
}

export function presentAnswer({ mode, text, citations }: Answer): QuestionAnswer {
  return {
    mode,
    answer: text,
    citations: citations.map(({ id, start, end, speaker, quote }) => ({ id, start, end, speaker, quote })),
  };
}
