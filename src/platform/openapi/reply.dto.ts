import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** The envelope of a successful response. */
export interface Reply<T> {
  readonly data: T;
}

export const reply = <T>(data: T): Reply<T> => ({ data });

@ApiSchema({ name: 'Success' })
export class SuccessReply {
  @ApiProperty({ type: Boolean, enum: [true], description: 'Always true', example: true })
  success: true;
}

export const SUCCESS: SuccessReply = { success: true };
