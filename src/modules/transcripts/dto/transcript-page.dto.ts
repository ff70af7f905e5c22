import { WholeNumberParameter } from '../../../platform/http/fields.js';
import { LIMITS } from '../../../platform/limits.js';

export class TranscriptPageDto {
  @WholeNumberParameter({ min: 0, default: 0, description: 'Chunk to start from', example: 0 })
  start_chunk: number = 0;

  @WholeNumberParameter({
    ...LIMITS.transcriptChunks,
    description: 'Chunks on a page, 1 to 100; a chunk is 20 consecutive segments',
    example: 50,
  })
  limit: number = LIMITS.transcriptChunks.default;
}
