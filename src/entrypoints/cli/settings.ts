import { NestFactory } from '@nestjs/core';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { SettingsModule } from '../../platform/config/settings.module.js';

/** Reads the settings as the service does; for commands that need nothing else. */
export async function readSettings(): Promise<Settings> {
  const context = await NestFactory.createApplicationContext(SettingsModule.register(), {
    logger: false,
    abortOnError: false,
  });
  try {
    return context.get<Settings>(SETTINGS);
  } finally {
    await context.close();
  }
}
