import { TextField } from '../../../platform/http/fields.js';
import { LIMITS } from '../../../contract/limits.js';
import type { RecordingStatus } from '../../../policy/recording-status.js';
import { RecordingParameter, type RecordingFilters } from '../../recording-list/dto/list-recordings.dto.js';
import { AskQuestionDto } from './ask-question.dto.js';

/** The filters have the names of the search's parameters. */
export class AskMeetingsDto extends AskQuestionDto implements RecordingFilters {
  @TextField({
    ...LIMITS.speaker,
    trim: true,
    optional: true,
    description: 'Only recordings in which a speaker with this name said something about it',
    example: 'Ada',
  })
  speaker?: string;

  @RecordingParameter.status
  status?: RecordingStatus;

  @RecordingParameter.dateFrom
  date_from?: string;

  @RecordingParameter.dateTo
  date_to?: string;

  @RecordingParameter.organizationId
  organization_id?: string;

  @RecordingParameter.folderId
  folder_id?: string;
}
