import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { IntegerParameter } from '../../../platform/http/fields/number-fields.js';
import { LIMITS } from '../../../contract/limits.js';
import {
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
} from '../../../lib/transcript-formats/written-formats.js';

export class TranscriptPageDto {
  @IntegerParameter('Index of the first chunk; cannot be combined with `format`', {
    min: 0,
    default: 0,
    example: 0,
  })
  start_chunk: number = 0;

  @IntegerParameter(
    'Chunks per page, 1 to 100; a chunk is 20 consecutive segments. Cannot be combined with `format`',
    { ...LIMITS.transcriptChunks, example: 50 },
  )
  limit: number = LIMITS.transcriptChunks.default;

  @ChoiceField(
    'Returns the whole transcript as a file instead of a page; an `Accept` header with a media type does the same',
    { values: TRANSCRIPT_FORMATS, name: 'TranscriptFormat', optional: true, example: 'vtt' },
  )
  format?: TranscriptFormat;
}
