import { applyDecorators, Injectable, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Response } from 'express';
import { tap, type Observable } from 'rxjs';
import { PlatformError } from '../errors/platform-error.js';

/** Sends the `revision` of a reply as its `ETag` too. */
@Injectable()
class RevisionTag implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      tap((body: { data?: { revision?: unknown } } | undefined) => {
        const revision = body?.data?.revision;
        if (typeof revision === 'number') response.setHeader('ETag', `"${revision}"`);
      }),
    );
  }
}

/** For operations whose reply has a `revision`; a `JsonText` tells its own. */
export const TellsRevision = (): MethodDecorator => UseInterceptors(RevisionTag);

/** For operations that change what has a `revision`. */
export const TakesRevision = (): MethodDecorator =>
  applyDecorators(
    TellsRevision(),
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        'The `revision` that the change is meant for, such as `"3"`; 412 when it is another by now.',
      schema: { type: 'string' },
    }),
  );

const TAG = /^(?:W\/)?"[^"]*"$/;

/** What an `If-Match` header asks for. */
export class Precondition {
  private constructor(private readonly tags: readonly string[] | null) {}

  static of(header: string | undefined): Precondition {
    if (header === undefined || header.trim() === '*') return new Precondition(null);
    const tags = header.split(',').map((tag) => tag.trim());
    if (!tags.every((tag) => TAG.test(tag))) {
      throw new PlatformError(
        'VALIDATION_ERROR',
        'If-Match: must be a revision in quotes, such as "3", or *',
      );
    }
    return new Precondition(tags);
  }

  /** Refuses a revision that was not asked for. */
  require(revision: number): void {
    if (this.tags === null || this.tags.includes(`"${revision}"`)) return;
    throw new PlatformError(
      'PRECONDITION_FAILED',
      `If-Match: the revision is ${revision} by now; read it again and repeat the change.`,
    );
  }
}
