import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { parseSettings, SETTINGS, type Settings } from './settings.js';

/** Settings from `.env` and the environment (which wins), or exactly those given. Checked before anything starts. */
@Module({})
export class SettingsModule {
  static register(environment?: Readonly<Record<string, string>>): DynamicModule {
    const checked = ConfigModule.forRoot({
      ignoreEnvFile: environment !== undefined,
      skipProcessEnv: true,
      validate: (loaded) => ({ settings: parseSettings(environment ?? loaded) }),
    });
    // Nest looks at it a moment later; until then a bad setting would count as an error that nobody handles.
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
