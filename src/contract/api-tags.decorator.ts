import { ApiTags as SwaggerTags } from '@nestjs/swagger';
import type { DocumentedTag } from './api-document.js';

/** The tag of a controller's operations. The string literal is not a tag: the compiler's error for an unknown tag shows it. */
export const ApiTags = (
  tag: DocumentedTag | 'or a new one, once it is in TAGS of src/contract/api-document.ts',
): ClassDecorator => SwaggerTags(tag);
