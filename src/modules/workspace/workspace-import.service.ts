import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { printable, quoteForMessage } from '../../lib/text.js';
import { transactionBy } from '../../platform/database/transaction-by.js';
import { hashSecret } from '../../platform/secrets/secrets.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { ApiKey } from '../api-keys/entities/api-key.entity.js';
import { MediaService } from '../media/media.service.js';
import { MembersService } from '../organizations/members/members.service.js';
import { User } from '../users/entities/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { ImportRun, type ImportReport } from './import-run.js';
import { importOrganizations } from './organization-import.js';
import { RecordingImportService } from './recording-import.service.js';
import type { ReadWorkspace } from './workspace-reader.service.js';
import { WorkspaceError } from './workspace.error.js';
import { LOCKS } from '../../platform/database/lock-numbers.js';
import { sql } from '../../platform/database/sql.js';
import type { WorkspaceUser } from './workspace.schema.js';

/**
 * Imports a workspace, all or nothing: creates what is missing, and lists what differs; a second import has no effect.
 */
@Injectable()
export class WorkspaceImportService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly apiKeys: ApiKeysService,
    private readonly members: MembersService,
    private readonly recordings: RecordingImportService,
    private readonly media: MediaService,
  ) {}

  async import({ users, organizations, recordings }: ReadWorkspace): Promise<ImportReport> {
    const stored: string[] = [];
    try {
      return await transactionBy(this.dataSource, { kind: 'command_line' }, async (manager) => {
        // One import at a time, for as long as it takes: copying long videos, and waiting for another import.
        await sql(manager)`SET LOCAL statement_timeout = 0`;
        await sql(manager)`SET LOCAL idle_in_transaction_session_timeout = 0`;
        await sql(manager)`SELECT pg_advisory_xact_lock(${LOCKS.import}::bigint)`;
        const run = new ImportRun(manager);
        for (const [index, input] of users.entries()) await this.importUser(run, input, `users[${index}]`);
        await importOrganizations(run, organizations, this.members);
        await this.recordings.import(run, recordings, stored);
        return run.report();
      });
    } catch (error) {
      await this.media.discard(this.dataSource.manager, stored);
      throw error;
    }
  }

  /** Creates a user and their keys, unless they exist. */
  private async importUser(run: ImportRun, input: WorkspaceUser, at: string): Promise<void> {
    const { id, email, name, plan, externalId, metadata } = input;
    const found = await run.directory.user(email);
    if (found && id && found.id !== id) {
      throw new WorkspaceError([`${at}.id: "${email}" already exists with the id ${found.id}`]);
    }
    if (!found && id && (await run.manager.existsBy(User, { id }))) {
      throw new WorkspaceError([`${at}.id: already belongs to another user`]);
    }
    if (found) {
      run.compare('users', `user ${printable(found.email)}`, {
        name: [found.name, name],
        plan: [found.plan, plan],
        externalId: [found.externalId, externalId],
        metadata: [found.metadata, metadata],
      });
    } else run.created('users');
    const known = { ...(id && { id }), email, emailVerified: true };
    const given = { ...known, name, plan: plan ?? 'FREE', externalId, metadata } as const;
    const user = found ?? (await this.users.createWithin(run.manager, given));
    for (const [index, key] of input.apiKeys.entries()) {
      const stored = await run.manager.findOneBy(ApiKey, { hash: hashSecret(key.key) });
      if (!stored) {
        await this.apiKeys.issue(run.manager, user.id, key);
        run.created('apiKeys');
        continue;
      }
      if (stored.userId !== user.id) {
        throw new WorkspaceError([`${at}.apiKeys[${index}].key: already belongs to another user`]);
      }
      run.compare('apiKeys', `key ${quoteForMessage(stored.name)} of ${printable(user.email)}`, {
        name: [stored.name, key.name],
        expiresAt: [stored.expiresAt, key.expiresAt],
        revoked: [stored.revokedAt !== null, key.revoked],
        // In any order.
        scopes: [stored.scopes?.toSorted() ?? null, key.scopes?.toSorted() ?? key.scopes],
      });
    }
  }
}
