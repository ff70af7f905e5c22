import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CODES, type ErrorCode } from './error-catalog.js';

export class ErrorDetail {
  @ApiProperty({
    enum: ERROR_CODES,
    enumName: 'ErrorCode',
    description: 'Machine-readable error code',
    example: 'RECORDING_NOT_FOUND',
  })
  code: ErrorCode;

  @ApiProperty({
    type: String,
    description:
      'Human-readable explanation; for an invalid field, its name and what it accepts. May change: rely on `code`',
    example: 'Recording not found.',
  })
  message: string;
}

/** The body of every error response. */
export class ErrorResponse {
  @ApiProperty({ type: () => ErrorDetail, description: 'Why the request failed' })
  error: ErrorDetail;
}
