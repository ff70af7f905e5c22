import { ApiKeysService } from '../../modules/api-keys/api-keys.service.js';
import { UserDeletionService } from '../../modules/user-deletion/user-deletion.service.js';
import { UsersService } from '../../modules/users/users.service.js';
import type { ImportReport } from '../../modules/workspace/import-report.js';
import { WorkspaceImportService } from '../../modules/workspace/workspace-import.service.js';
import { WorkspaceReaderService } from '../../modules/workspace/workspace-reader.service.js';
import { StartError } from '../../platform/config/settings.js';
import { LIMITS } from '../../contract/limits.js';
import { isStorable } from '../../platform/text.js';
import { parseTimestamp } from '../../platform/timestamps.js';
import type { UserPlan } from '../../policy/plans.js';
import { print, type Output } from './output.js';
import { requireUser, text, withService } from './service.js';

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
    const { personalRecordings } = await service.get(UserDeletionService).delete(user);
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

function summary(report: ImportReport): string {
  return Object.entries(report)
    .map(([what, { created, existing }]) => `${what}: ${created} created, ${existing} already there`)
    .join('\n');
}
