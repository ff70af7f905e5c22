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

export class Readiness extends Health {
  @ApiProperty({
    description:
      'Identifies the database that is used, until that is restarted: the same for all processes of a service, and different for every other service',
    example: '9f2c41d07be85a36',
  })
  instance: string;
}
