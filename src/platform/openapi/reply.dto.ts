import { ApiProperty } from '@nestjs/swagger';

/** A successful reply: the result under one key. */
export interface Reply<T> {
  readonly data: T;
}

export function reply<T>(data: T): Reply<T> {
  return { data };
}

export class SuccessReply {
  @ApiProperty({ type: Boolean, enum: [true], description: 'Always true', example: true })
  success: true;
}

export const SUCCESS: SuccessReply = { success: true };
