import { TextField } from '../../../platform/http/fields/text-fields.js';
import { LIMITS } from '../../../contract/limits.js';
import { IntersectionType, PickType } from '@nestjs/swagger';
import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { RECORDING_STATUSES, type RecordingStatus } from '../../../policy/recording-status.js';
import { ListRecordingsDto } from '../../recordings/list/public/list-recordings.dto.js';

export class AskQuestionDto {
  @TextField('Question about what was said', {
    ...LIMITS.question,
    trim: true,
    example: 'What was decided about winter routes?',
  })
  question: string;
}

const Filters = PickType(ListRecordingsDto, ['date_from', 'date_to', 'organization_id', 'folder_id']);

/** The filters have the names of the search's parameters. */
export class AskMeetingsDto extends IntersectionType(AskQuestionDto, Filters) {
  @TextField('Only recordings in which a speaker with this name said something about it', {
    ...LIMITS.speaker,
    trim: true,
    optional: true,
    example: 'Priya',
  })
  speaker?: string;

  @ChoiceField('Only recordings with this status', {
    values: RECORDING_STATUSES,
    name: 'RecordingStatus',
    optional: true,
    example: 'COMPLETED',
  })
  status?: RecordingStatus;
}
