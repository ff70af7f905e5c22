import { TextField } from '../../../platform/http/fields.js';
import { LIMITS } from '../../../contract/limits.js';
import type { RecordingStatus } from '../../../policy/recording-status.js';
import { RecordingParameter, type RecordingFilters } from '../../recording-list/dto/list-recordings.dto.js';

const MOST_CHARACTERS = 200;

export class SearchRecordingsDto implements RecordingFilters {
  @TextField({
    min: 1,
    max: MOST_CHARACTERS,
    trim: true,
    description:
      'Words that must all occur, in any inflected form; `"a phrase"`; `budg*` for a prefix; `-word` to exclude a word; `OR` between alternatives. At most 20 words and phrases',
    example: 'winter routes',
  })
  q: string;

  @RecordingParameter.limit
  limit: number = LIMITS.page.default;

  @RecordingParameter.offset
  offset: number = 0;

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
