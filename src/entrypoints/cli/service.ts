import { NestFactory } from '@nestjs/core';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { AppModule } from '../app.module.js';
import type { User } from '../../modules/users/entities/user.entity.js';
import { UsersService } from '../../modules/users/users.service.js';
import { Cleanup } from '../../platform/cleanup.js';
import { StartError } from '../../platform/config/settings.js';
import { SettingsModule } from '../../platform/config/settings.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { LoggingModule } from '../../platform/logging/logging.module.js';
import { codePointLength, isLanguageCode, isStorable } from '../../platform/text.js';

/** Runs `work` with the service without its HTTP server: same settings, database and modules. */
export async function withService(work: (service: INestApplicationContext) => Promise<void>): Promise<void> {
  await withModule((cleanup) => AppModule.register(cleanup, undefined, 'stderr'), work);
}

/** Runs `work` with settings and the migrated database only, without what refuses to start if a sealing key is missing. */
export async function withDatabase(work: (context: INestApplicationContext) => Promise<void>): Promise<void> {
  await withModule(DatabaseOnly.register, work);
}

class DatabaseOnly {
  static register(this: void, cleanup: Cleanup): DynamicModule {
    return {
      module: DatabaseOnly,
      imports: [
        SettingsModule.register(),
        LoggingModule.register('stderr'),
        DatabaseModule.register([], cleanup),
      ],
    };
  }
}

async function withModule(
  module: (cleanup: Cleanup) => DynamicModule,
  work: (context: INestApplicationContext) => Promise<void>,
): Promise<void> {
  const cleanup = new Cleanup();
  try {
    const service = await NestFactory.createApplicationContext(module(cleanup), {
      logger: false,
      abortOnError: false,
    });
    try {
      await work(service);
    } finally {
      await service.close();
    }
  } finally {
    await cleanup.run();
  }
}

export async function requireUser(service: INestApplicationContext, email: string): Promise<User> {
  const user = await service.get(UsersService).findByEmail(email.trim());
  if (!user) throw new StartError(`--email: there is no user "${email}"`);
  return user;
}

/** Validates the text of an option; returns it trimmed. */
export function text(option: string, value: string, { min, max }: { min: number; max: number }): string {
  const trimmed = value.trim();
  const length = codePointLength(trimmed);
  if (length < min || length > max || !isStorable(trimmed)) {
    throw new StartError(`${option}: must have ${min} to ${max} characters`);
  }
  return trimmed;
}

/** Validates an option that is a language code. */
export function languageCode(option: string, value: string | undefined): string | undefined {
  if (value === undefined || isLanguageCode(value)) return value;
  throw new StartError(`${option}: must be a language code, such as en or pt-BR`);
}
