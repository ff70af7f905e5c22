import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { Clock } from '../../../platform/clock/clock.js';
import type { CursorPage } from '../../../platform/http/replies/cursor.js';
import type { TextFile } from '../../../platform/http/replies/text-file.js';
import { keyRefusal, type KeyFacts } from '../../../policy/api-keys.js';
import type { Caller } from '../../../policy/caller.js';
import { isManager } from '../../../policy/management.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import type { AuditEntry } from '../dto/audit-entry.response.dto.js';
import type { AuditFormat, ListAuditLogDto } from '../dto/list-audit-log.dto.js';
import { AuditLogService } from './audit-log.service.js';
import { auditQueryOf, type AuditScope } from './audit-query.js';

export type AuditReading = { readonly page: CursorPage<AuditEntry> } | { readonly file: TextFile };

const KEY = `
  SELECT k.revoked_at AS "revokedAt", k.expires_at AS "expiresAt", u.id AS "userId"
  FROM api_keys k LEFT JOIN users u ON u.id = k.user_id WHERE k.id = $1`;

/** Who reads which log. */
@Injectable()
export class AuditReadingService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly organizations: OrganizationsService,
    private readonly log: AuditLogService,
    private readonly clock: Clock,
  ) {}

  /** The log of an organization is for `OWNER` and `ADMIN`: 404 `ORGANIZATION_NOT_FOUND`, or 403 `FORBIDDEN` for others. */
  async read(
    caller: Caller,
    scope: AuditScope,
    query: ListAuditLogDto,
    accepted: AuditFormat | null,
  ): Promise<AuditReading> {
    await this.requireAccess(caller, scope);
    const { format, limit, cursor } = query;
    const paged = cursor !== undefined || limit !== LIMITS.auditPage.default;
    // Swagger UI fills in the default limit, so that one does not conflict.
    if (format && paged) {
      throw new DomainError('VALIDATION_ERROR', 'format: returns all entries; omit limit and cursor');
    }
    const read = auditQueryOf(scope, query);
    const wanted = format ?? (paged ? null : accepted);
    if (!wanted) return { page: await this.log.page(read, limit) };
    const requireAccess = async () => {
      await this.requireKey(caller);
      await this.requireAccess(caller, scope);
    };
    return { file: await this.log.file(read, wanted, { id: caller.id, requireAccess }) };
  }

  private async requireAccess(caller: Caller, scope: AuditScope): Promise<void> {
    if ('userId' in scope) return;
    const role = await this.organizations.requireMember(caller, scope.organizationId);
    if (!isManager(role)) throw new DomainError('FORBIDDEN', `The role ${role} cannot read the audit log.`);
  }

  /** The key that an export began with may be revoked meanwhile, or its user deleted. */
  private async requireKey({ apiKey }: Caller): Promise<void> {
    const [key]: KeyFacts[] = await this.dataSource.query(KEY, [apiKey.id]);
    const refusal = key ? keyRefusal(key, this.clock.now()) : 'INVALID_API_KEY';
    if (refusal) throw new DomainError(refusal);
  }
}
