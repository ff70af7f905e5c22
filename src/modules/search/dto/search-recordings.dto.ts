import { IntersectionType, PickType } from '@nestjs/swagger';
import { TextField } from '../../../platform/http/fields/text-fields.js';
import { LIMITS } from '../../../contract/limits.js';
import { ListRecordingsDto } from '../../recordings/list/public/list-recordings.dto.js';

const MAX_CHARACTERS = 200;

class SearchTerms {
  @TextField(
    'Words that must all occur, in any inflected form, among them the names of speakers; `EIP-7702` in any spelling; `"a phrase"`; `budg*` for a prefix; `-word` to exclude a word; `OR` between alternatives; or a question such as `what did Ada say about budgets`. At most 20 words and phrases',
    { min: 1, max: MAX_CHARACTERS, trim: true, example: 'winter routes' },
  )
  q: string;

  @TextField('Only what speakers with this name said; part of the name is enough', {
    ...LIMITS.speaker,
    min: 1,
    trim: true,
    optional: true,
    example: 'Priya',
  })
  speaker?: string;
}

export class SearchRecordingsDto extends IntersectionType(
  SearchTerms,
  PickType(ListRecordingsDto, [
    'limit',
    'offset',
    'status',
    'date_from',
    'date_to',
    'organization_id',
    'folder_id',
  ]),
) {}
