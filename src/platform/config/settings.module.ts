import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { parseSettings, SETTINGS, type Settings } from './settings.js';

/** Settings from `.env` and the environment (which wins), or exactly those given. Checked before anything starts. */
@Module({})
export class SettingsModule {
  static register(environment?: Readonly<Record<string, string>>): DynamicModule {
    return {
      module: SettingsModule,
      global: true,
      imports: [
        ConfigModule.forRoot({
          ignoreEnvFile: environment !== undefined,
          skipProcessEnv: true,
          validate: (loaded) => ({ settings: parseSettings(environment ?? loaded) }),
        }),
      ],
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
