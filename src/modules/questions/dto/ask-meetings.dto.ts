import { IntersectionType, PickType } from '@nestjs/swagger';
import { ChoiceField } from '../../../platform/http/fields.js';
import { RECORDING_STATUSES, type RecordingStatus } from '../../../policy/recording-status.js';
import { ListRecordingsDto } from '../../recording-list/dto/list-recordings.dto.js';
import { AskQuestionDto } from './ask-question.dto.js';

const Filters = PickType(ListRecordingsDto, ['date_from', 'date_to', 'organization_id', 'folder_id']);

/** The filters have the names of the list's parameters. */
export class AskMeetingsDto extends IntersectionType(AskQuestionDto, Filters) {
  @ChoiceField('Only recordings with this status', {
    values: RECORDING_STATUSES,
    name: 'RecordingStatus',
    optional: true,
    example: 'COMPLETED',
  })
  status?: RecordingStatus;
}
