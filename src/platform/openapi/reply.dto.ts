import type { StreamableFile } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { JsonText } from '../http/replies/json-text.js';

/** The envelope of a successful response. */
export interface Reply<T> {
  readonly data: T;
}

type Replied<Data> = Reply<Data> | JsonText | StreamableFile | void;

/** A method that replies with this data in its envelope, or with a file. */
export type Handler<Data> = (...inputs: never[]) => Replied<Data> | Promise<Replied<Data>>;

export const reply = <T>(data: T): Reply<T> => ({ data });

@ApiSchema({ name: 'Success' })
export class SuccessReply {
  @ApiProperty({ type: Boolean, enum: [true], description: 'Always true', example: true })
  success: true;
}

export const SUCCESS: SuccessReply = { success: true };

/** Awaits the work of an operation, and returns a reply that says only that it succeeded. */
export const succeed = async (work: Promise<unknown>): Promise<Reply<SuccessReply>> => {
  await work;
  return reply(SUCCESS);
};
