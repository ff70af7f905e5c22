import { TextField, IntegerParameter } from '../../../platform/http/fields.js';
import { LIMITS } from '../../../contract/limits.js';

export class OpenShareDto {
  @IntegerParameter({
    min: 0,
    default: 0,
    description: 'Index of the first chunk of the transcript',
    example: 0,
  })
  start_chunk: number = 0;

  @IntegerParameter({
    ...LIMITS.transcriptChunks,
    description: 'Chunks of the transcript per page, 1 to 100; a chunk is 20 consecutive segments',
    example: 50,
  })
  limit: number = LIMITS.transcriptChunks.default;
}

export class UnlockShareDto {
  @TextField({ ...LIMITS.sharePassword, description: 'The password of the link', example: 'open sesame' })
  password: string;
}
