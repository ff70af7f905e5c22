import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { PlatformError } from '../../errors/platform-error.js';
import { HasReplyTraits } from './reply-traits.js';

/** Marks operations whose reply has a `revision`; a `JsonText` carries its own. */
export const ReturnsRevision = (): MethodDecorator => HasReplyTraits({ etag: 'whole' });

/** Marks those whose reply also has what changes without it, such as signed URLs: `If-None-Match` is ignored. */
export const ReturnsPartialRevision = (): MethodDecorator => HasReplyTraits({ etag: 'partial' });

/** Marks operations that change a resource with a `revision`. */
export const AcceptsRevision = (): MethodDecorator =>
  applyDecorators(
    ReturnsRevision(),
    ApiHeader({
      name: 'If-Match',
      required: false,
      description: 'The `revision` that the change is based on, such as `"3"`; 412 if it has changed since.',
      schema: { type: 'string' },
    }),
  );

const TAG = /^(?:W\/)?"[^"]*"$/;

/** The condition of an `If-Match` header. */
export class Precondition {
  private constructor(private readonly tags: readonly string[] | null) {}

  static read(header: string | undefined): Precondition {
    if (header === undefined || header.trim() === '*') return new Precondition(null);
    const tags = header.split(',').map((tag) => tag.trim());
    if (!tags.every((tag) => TAG.test(tag))) {
      throw new PlatformError('VALIDATION_ERROR', 'If-Match: must be a quoted revision, such as "3", or *');
    }
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
