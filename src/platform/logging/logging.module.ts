import { type DynamicModule, Global, Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.js';
import { AppLogger, type LogStream } from './app-logger.js';

@Global()
@Module({})
export class LoggingModule {
  static register(stream: LogStream): DynamicModule {
    const logger = {
      provide: AppLogger,
      inject: [SETTINGS],
      useFactory: (settings: Settings) => AppLogger.to(stream, settings.logLevel),
    };
    return { module: LoggingModule, providers: [logger], exports: [AppLogger] };
  }
}
