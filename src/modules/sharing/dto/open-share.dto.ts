import { IntegerParameter } from '../../../platform/http/fields/number-fields.js';
import { TextField } from '../../../platform/http/fields/text-fields.js';
import { LIMITS } from '../../../contract/limits.js';

export class OpenShareDto {
  @IntegerParameter('Index of the first chunk of the transcript', { min: 0, default: 0, example: 0 })
  start_chunk: number = 0;

  @IntegerParameter('Chunks of the transcript per page, 1 to 100; a chunk is 20 consecutive segments', {
    ...LIMITS.transcriptChunks,
    example: 50,
  })
  limit: number = LIMITS.transcriptChunks.default;
}

export class UnlockShareDto {
  @TextField('The password of the link', { ...LIMITS.sharePassword, example: 'open sesame' })
  password: string;
}
