import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { AppModule } from '../app.module.js';
import { ApiKeysService } from '../modules/api-keys/api-keys.service.js';
import type { User } from '../modules/users/entities/user.entity.js';
import { UsersService } from '../modules/users/users.service.js';
import type { ImportReport } from '../modules/workspace/import-report.js';
import { WorkspaceImportService } from '../modules/workspace/workspace-import.service.js';
import { WorkspaceReaderService } from '../modules/workspace/workspace-reader.service.js';
import { Cleanup } from '../platform/cleanup.js';
import { StartError } from '../platform/config/settings.js';
import { LIMITS } from '../platform/limits.js';
import { codePointLength, isStorable } from '../platform/text.js';
import { parseTimestamp } from '../platform/timestamps.js';
import type { UserPlan } from '../policy/plans.js';

interface Output {
  readonly json?: boolean;
}

export async function createUser(
  options: Output & { email: string; name: string; plan: UserPlan },
): Promise<void> {
  const email = options.email.trim();
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > LIMITS.email.max || !isStorable(email)) {
    throw new StartError(`--email: "${options.email}" is no e-mail address`);
  }
  const name = text('--name', options.name, LIMITS.name);
  await withService(async (service) => {
    const { id, plan } = await service.get(UsersService).create({ email, name, plan: options.plan });
    print(options, { id, email, name, plan }, id);
  });
}

export async function deleteUser(options: Output & { email: string }): Promise<void> {
  await withService(async (service) => {
    const user = await requireUser(service, options.email);
    const { personalRecordings } = await service.get(UsersService).delete(user);
    const told = `deleted ${user.email} and ${personalRecordings} personal recordings; the keys are kept`;
    print(options, { id: user.id, email: user.email, personalRecordings }, told);
  });
}

export async function createKey(
  options: Output & { email: string; name: string; expiresAt?: string },
): Promise<void> {
  const name = text('--name', options.name, LIMITS.apiKeyName);
  const { expiresAt: time } = options;
  if (time !== undefined && !((parseTimestamp(time)?.date ?? 0) > new Date())) {
    throw new StartError('--expires-at: must be an ISO 8601 time in the future');
  }
  await withService(async (service) => {
    const user = await requireUser(service, options.email);
    const input = { name, expiresAt: options.expiresAt };
    const { apiKey, key } = await service.get(ApiKeysService).create(user.id, input);
    const expiresAt = apiKey.expiresAt?.toISOString() ?? null;
    print(options, { id: apiKey.id, name, prefix: apiKey.prefix, key, expires_at: expiresAt }, key);
  });
}

export async function importWorkspace(file: string, options: Output): Promise<void> {
  await withService(async (service) => {
    const workspace = await service.get(WorkspaceReaderService).read(file);
    const report = await service.get(WorkspaceImportService).import(workspace);
    print(options, report, summary(report));
  });
}

/** The service without its server: the same database, settings and modules. */
async function withService(work: (service: INestApplicationContext) => Promise<void>): Promise<void> {
  const cleanup = new Cleanup();
  try {
    const service = await NestFactory.createApplicationContext(AppModule.register(cleanup), {
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

async function requireUser(service: INestApplicationContext, email: string): Promise<User> {
  const user = await service.get(UsersService).findByEmail(email.trim());
  if (!user) throw new StartError(`--email: no user "${email}"`);
  return user;
}

function text(option: string, value: string, { min, max }: { min: number; max: number }): string {
  const trimmed = value.trim();
  const length = codePointLength(trimmed);
  if (length < min || length > max || !isStorable(trimmed)) {
    throw new StartError(`${option}: must have ${min} to ${max} characters`);
  }
  return trimmed;
}

function summary(report: ImportReport): string {
  return Object.entries(report)
    .map(([what, { created, existing }]) => `${what}: ${created} created, ${existing} already there`)
    .join('\n');
}

function print({ json }: Output, result: object, plain: string): void {
  process.stdout.write(`${json ? JSON.stringify(result) : plain}\n`);
}
