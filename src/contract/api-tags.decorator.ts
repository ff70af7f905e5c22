import { ApiTags as SwaggerTags } from '@nestjs/swagger';
import type { DocumentedTag } from './api-document.js';

/** The tag of a controller's operations. The last one is no tag: it is there for whoever reads the compiler's error. */
export const ApiTags = (
  tag: DocumentedTag | 'or a new one, once it is in TAGS of src/contract/api-document.ts',
): ClassDecorator => SwaggerTags(tag);
