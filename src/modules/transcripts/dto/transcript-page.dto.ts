import { ChoiceField, IntegerParameter } from '../../../platform/http/fields.js';
import { LIMITS } from '../../../contract/limits.js';
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from '../files/export-formats.js';

export class TranscriptPageDto {
  @IntegerParameter({
    min: 0,
    default: 0,
    description: 'Chunk to start from; not together with `format`',
    example: 0,
  })
  start_chunk: number = 0;

  @IntegerParameter({
    ...LIMITS.transcriptChunks,
    description: 'Chunks on a page, 1 to 100; a chunk is 20 consecutive segments. Not together with `format`',
    example: 50,
  })
  limit: number = LIMITS.transcriptChunks.default;

  @ChoiceField({
    values: TRANSCRIPT_FORMATS,
    optional: true,
    description:
      'The whole transcript as a file instead of a page of it; the header `Accept` asks for the same by media type',
    example: 'vtt',
  })
  format?: TranscriptFormat;
}
