import { ApiParam } from '@nestjs/swagger';

/** Documents `:id`. An id that is no UUID is answered like any unknown one. */
export const ApiIdParam = (of: string): MethodDecorator =>
  ApiParam({
    name: 'id',
    type: String,
    description: `Identifier of the ${of}`,
    example: '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90',
  });
