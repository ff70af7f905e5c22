import { ApiProperty } from '@nestjs/swagger';

export class Health {
  @ApiProperty({
    type: String,
    enum: ['ok'],
    description: 'Always `ok`; otherwise the response is an error',
    example: 'ok',
  })
  status: 'ok';
}
