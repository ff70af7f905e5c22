import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CODES, type ErrorCode } from './error-catalog.js';

export class ErrorDetail {
  @ApiProperty({
    enum: ERROR_CODES,
    enumName: 'ErrorCode',
    description: 'Machine-readable code',
    example: 'RECORDING_NOT_FOUND',
  })
  code: ErrorCode;

  @ApiProperty({
    type: String,
    description: 'What was wrong, for people; names the offending field and what it takes',
    example: 'Recording not found.',
  })
  message: string;
}

/** The body of every reply that is not a success. */
export class ErrorReply {
  @ApiProperty({ type: () => ErrorDetail, description: 'Why the request failed' })
  error: ErrorDetail;
}
