import { ApiProperty } from '@nestjs/swagger';
import {
  IntegerProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';

/** Where a client stores a part of a file. */
export class PresignedPart {
  @IntegerProperty('Number of the part, from 1 on', { example: 1 })
  number: number;

  @IntegerProperty('Bytes', { example: 9_437_184 })
  size: number;

  @TextProperty('URL for a PUT of the part, without an API key. Only takes what has its size and SHA-256', {
    example: 'https://s3.example.com/meetings/recordings/01998a3c/parts/01998a3d?X-Amz-Signature=5f2a',
  })
  url: string;

  @ApiProperty({
    description: 'Headers that this request must have',
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { 'x-amz-checksum-sha256': 'xPuWjXp7GlyKsaauDAHfD0tqM9HBtvf08L0/L5odjlc=' },
  })
  headers: Readonly<Record<string, string>>;

  @TimestampProperty('When the URL stops working; ask for another then')
  expires_at: string;
}
