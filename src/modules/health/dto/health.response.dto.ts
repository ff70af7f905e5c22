import { ApiProperty } from '@nestjs/swagger';

export class Health {
  @ApiProperty({
    type: String,
    enum: ['ok'],
    description: 'Always `ok`; anything else is an error reply',
    example: 'ok',
  })
  status: 'ok';
}
