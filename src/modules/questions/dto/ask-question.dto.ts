import { TextField } from '../../../platform/http/fields/text-fields.js';
import { LIMITS } from '../../../contract/limits.js';

export class AskQuestionDto {
  @TextField('Question about what was said, 1 to 1,000 characters', {
    ...LIMITS.question,
    trim: true,
    example: 'What was decided about winter routes?',
  })
  question: string;
}
