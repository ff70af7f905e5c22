import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { readSettings } from './read-settings.js';
import { parseSettings, SETTINGS, type Settings } from './settings.js';

/**
 * Settings from `.env` and the environment (which takes precedence), or exactly those given. Validated before anything
 * starts.
 */
@Module({})
export class SettingsModule {
  static register(environment?: Readonly<Record<string, string>>): DynamicModule {
    const checked = ConfigModule.forRoot({
      ignoreEnvFile: true,
      skipProcessEnv: true,
      validate: () => ({ settings: environment ? parseSettings(environment) : readSettings() }),
    });
    // Nest awaits it later; until then an invalid setting would be an unhandled rejection.
    checked.catch(() => undefined);
    return {
      module: SettingsModule,
      global: true,
      imports: [checked],
      providers: [
        {
          provide: SETTINGS,
          inject: [ConfigService],
          useFactory: (config: ConfigService): Settings => config.getOrThrow<Settings>('settings'),
        },
      ],
      exports: [SETTINGS],
    };
  }
}
