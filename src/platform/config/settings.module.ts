import { type DynamicModule, Global, Module } from '@nestjs/common';
import { readSettings } from './read-settings.js';
import { parseSettings, SETTINGS } from './settings.js';

/** Settings from `.env` and the environment, which takes precedence, or those given; checked before anything starts. */
@Global()
@Module({})
export class SettingsModule {
  static register(environment?: Readonly<Record<string, string>>): DynamicModule {
    const settings = environment ? parseSettings(environment) : readSettings();
    return {
      module: SettingsModule,
      providers: [{ provide: SETTINGS, useValue: settings }],
      exports: [SETTINGS],
    };
  }
}
