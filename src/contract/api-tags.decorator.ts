import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiTags as SwaggerTags } from '@nestjs/swagger';
import { CarriesOutOnce } from '../platform/idempotency/idempotency.interceptor.js';
import { MANAGEMENT_TAGS, type DocumentedTag } from './api-document.js';

export const IS_MANAGEMENT = Symbol('IS_MANAGEMENT');

/**
 * The tag of a controller's operations, of which those that take an `Idempotency-Key` get what it needs. The string literal is not a tag: the compiler's error for an unknown tag shows
 * it.
 */
export const ApiTags = (
  tag: DocumentedTag | 'or a new one, once it is in TAGS of src/contract/api-document.ts',
): ClassDecorator =>
  applyDecorators(
    SwaggerTags(tag),
    CarriesOutOnce(),
    ...((MANAGEMENT_TAGS as readonly string[]).includes(tag) ? [SetMetadata(IS_MANAGEMENT, true)] : []),
  );
