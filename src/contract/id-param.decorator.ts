import { ApiParam } from '@nestjs/swagger';
import { EXAMPLE_IDS, SOME_ID } from './example-ids.js';

/** Documents `:id`, or another by its name, which is that in the route. An id that is no UUID is answered like any unknown one. */
export const ApiIdParam = (of: string, name: 'id' | `${string}Id` = 'id'): MethodDecorator =>
  ApiParam({
    name,
    type: String,
    description: `Identifier of the ${of}`,
    example: (EXAMPLE_IDS as Readonly<Record<string, string>>)[of] ?? SOME_ID,
  });
