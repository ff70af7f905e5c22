import { Global, Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.js';
import { AppLogger } from './app-logger.js';

@Global()
@Module({
  providers: [
    {
      provide: AppLogger,
      inject: [SETTINGS],
      useFactory: (settings: Settings) => new AppLogger(settings.logLevel),
    },
  ],
  exports: [AppLogger],
})
export class LoggingModule {}
