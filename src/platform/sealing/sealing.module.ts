import { Global, Module } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../config/settings.js';
import { AppLogger } from '../logging/app-logger.js';
import { Sealer } from './sealer.js';
import { openSealer } from './sealing-keys.js';

/** Also checks, at every start of a process, that its key fits the database. */
@Global()
@Module({
  providers: [
    {
      provide: Sealer,
      inject: [SETTINGS, getDataSourceToken(), AppLogger],
      useFactory: async ({ sealingKey }: Settings, dataSource: DataSource, logger: AppLogger) => {
        const { keys, sealer } = await openSealer(sealingKey, dataSource);
        keys.follow(sealingKey, (err) => logger.error({ err }, 'cannot reload the sealing key'));
        return sealer;
      },
    },
  ],
  exports: [Sealer],
})
export class SealingModule {}
