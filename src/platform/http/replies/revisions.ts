import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { PlatformError } from '../../errors/platform-error.js';
import { RepliesWith } from './reply-headers.js';

const CONDITION = ApiHeader({
  name: 'If-Match',
  required: false,
  description: 'The `revision` that the change is based on, such as `"3"`; 412 if it has changed since.',
  schema: { type: 'string' },
});

const TAG = /^(?:W\/)?"[^"]*"$/;

/** The condition of an `If-Match` header. */
export class Precondition {
  private constructor(private readonly tags: readonly string[] | null) {}

  static read(header: string | undefined): Precondition {
    if (header === undefined || header.trim() === '*') return new Precondition(null);
    const tags = header.split(',').map((tag) => tag.trim());
    if (!tags.every((tag) => TAG.test(tag)))
      throw new PlatformError('VALIDATION_ERROR', 'If-Match: must be a quoted revision, such as "3", or *');
    return new Precondition(tags);
  }

  /** Throws unless the condition holds for this revision. */
  require(revision: number): void {
    if (this.tags === null || this.tags.includes(`"${revision}"`)) return;
    throw new PlatformError(
      'PRECONDITION_FAILED',
      `If-Match: the current revision is ${revision}; read the resource again and retry the change.`,
    );
  }
}

/** Injects and documents the condition under which the request changes a resource that has a `revision`. */
export const IfMatch = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    Precondition.read(context.switchToHttp().getRequest<Request>().headers['if-match']),
  [
    (target, method) => {
      const handler = Object.getOwnPropertyDescriptor(target, method!)!;
      RepliesWith({ etag: 'whole' })(target, method!, handler);
      CONDITION(target, method!, handler);
    },
  ],
);
