import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** The envelope of a successful response. */
export interface Reply<T> {
  readonly data: T;
}

export function reply<T>(data: T): Reply<T> {
  return { data };
}

@ApiSchema({ name: 'Success' })
export class SuccessReply {
  @ApiProperty({ type: Boolean, enum: [true], description: 'Always true', example: true })
  success: true;
}

export const SUCCESS: SuccessReply = { success: true };
