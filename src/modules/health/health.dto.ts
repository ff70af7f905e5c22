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

export const DEPENDENCIES = [
  'database',
  'replica',
  'store',
  'disk',
  'jobs',
  'chat',
  'transcription',
] as const;
export type DependencyName = (typeof DEPENDENCIES)[number];

export class DependencyHealth {
  @ApiProperty({
    type: String,
    enum: DEPENDENCIES,
    description:
      '`replica`: of the database. `store`: that of media files. `disk`: of the data folder. `chat` and `transcription`: servers that are configured.',
    example: 'disk',
  })
  name: DependencyName;

  @ApiProperty({
    type: String,
    enum: ['ok', 'degraded', 'down'],
    description: '`degraded`: requests are answered, but some work waits or is refused',
    example: 'ok',
  })
  status: 'ok' | 'degraded' | 'down';

  @ApiProperty({ type: String, nullable: true, description: 'What is wrong, and what to do', example: null })
  message: string | null;
}

export class Readiness {
  @ApiProperty({
    type: String,
    enum: ['ok', 'degraded'],
    description: '`degraded` if any of the `dependencies` is',
    example: 'ok',
  })
  status: 'ok' | 'degraded';

  @ApiProperty({
    description:
      'Identifies the database that is used, until that is restarted: the same for all processes of a service, and different for every other service',
    example: '9f2c41d07be85a36',
  })
  instance: string;

  @ApiProperty({ type: [DependencyHealth], description: 'What the service depends on' })
  dependencies: readonly DependencyHealth[];
}
