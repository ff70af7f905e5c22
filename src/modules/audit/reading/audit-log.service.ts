import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { requireOperator, requireScopes } from '../../api-keys/public/key-requirements.js';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { Clock } from '../../../platform/clock/clock.js';
import {
  cursorPage,
  readCursor,
  writeCursor,
  type CursorPage,
  type CursorPosition,
} from '../../../platform/http/replies/cursor.js';
import type { TextFile } from '../../../platform/http/replies/text-file.js';
import { takePlace } from '../../../platform/runtime/places.js';
import { METRICS } from '../../../platform/telemetry/metrics.js';
import { addressRefusal, keyRefusal } from '../../../policy/api-keys.js';
import type { Caller } from '../../../policy/caller.js';
import { reachedChanges, type Reach } from '../../../policy/reach.js';
import { isManager } from '../../../policy/management.js';
import { ApiKeysService } from '../../api-keys/api-keys.service.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { presentAuditEntry, type AuditEntry, type AuditReading } from '../dto/audit-entry.response.dto.js';
import { AUDIT_FILES, isPaged, type AuditFormat, type ListAuditLogDto } from '../dto/list-audit-log.dto.js';
import { findEntries, findHorizon, isOperating } from './audit-log.queries.js';
import { readAuditQuery, withinReach, type AuditQuery, type AuditScope } from './audit-query.js';
import { forbidden } from '../../organizations/public/organization-requirements.queries.js';

/** The entries of a file that one statement reads: some hundred kilobytes. */
const ENTRIES_AT_A_TIME = 500;
const TOO_MANY = `You have ${LIMITS.auditExports} exports of the audit log open already; wait until one has ended.`;

@Injectable()
export class AuditLogService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly organizations: OrganizationsService,
    private readonly apiKeys: ApiKeysService,
    private readonly clock: Clock,
  ) {}

  /**
   * For an organization, only its `OWNER` and `ADMIN`: 404 `ORGANIZATION_NOT_FOUND`, or 403 `FORBIDDEN` for others. For the
   * installation, only operators: 403 `FORBIDDEN` for others.
   */
  async read(
    caller: Caller,
    scope: AuditScope,
    filters: ListAuditLogDto,
    accepted: AuditFormat | null,
  ): Promise<AuditReading> {
    await this.requireAccess(caller, scope);
    const { format, limit } = filters;
    const query = withinReach(readAuditQuery(scope, filters), caller.apiKey);
    const wanted = format ?? (isPaged(filters) ? null : accepted);
    return wanted
      ? { file: await this.openFile(caller, query, wanted) }
      : { page: await this.findPage(query, limit) };
  }

  private async requireAccess(caller: Caller, scope: AuditScope): Promise<void> {
    if ('userId' in scope) return;
    if ('installation' in scope) return requireOperator(caller, 'read the audit log of the installation');
    const role = await this.organizations.requireMember(caller, scope.organizationId);
    if (!isManager(role)) throw forbidden(role, 'read the audit log', isManager);
  }

  /** The key that an export began with may be revoked or narrowed meanwhile, or its user deleted. */
  private async readReach({ apiKey, request }: Caller): Promise<Reach> {
    const [key] = await this.apiKeys.findFacts([apiKey.id]);
    const refusal = key ? keyRefusal(key, this.clock.now()) : 'INVALID_API_KEY';
    if (!key || refusal) throw new DomainError(refusal ?? 'INVALID_API_KEY');
    requireScopes({ apiKey: key }, ['audit:read']);
    const misplaced = addressRefusal(key, request?.address);
    if (misplaced) throw misplaced;
    return key;
  }

  /** Returns a page, newest first, which ends after a bounded number of rows that were read, even if it is not full. */
  private async findPage(query: AuditQuery, limit: number): Promise<CursorPage<AuditEntry>> {
    const { manager } = this.dataSource;
    const found = (await findEntries(manager, query, limit + 1)).map(withinReachOf(query));
    const entries = 'userId' in query.scope ? found.map(withoutOthers(query.scope.userId)) : found;
    // Read after the rows, so that rows added in between only make it newer.
    const horizon = await findHorizon(manager, query);
    const seen = horizon ? entries.filter((entry) => !isOlder(entry, horizon)) : entries;
    const page = cursorPage(seen, limit, positionOf);
    return horizon && !page.hasMore ? { ...page, hasMore: true, nextCursor: writeCursor(horizon) } : page;
  }

  /**
   * Opens everything as a file, streamed a page at a time, and only as fast as the client takes it. A failure at the
   * beginning is thrown; a later one, such as the loss of access, truncates the file.
   */
  private async openFile(caller: Caller, query: AuditQuery, format: AuditFormat): Promise<TextFile> {
    const { type, extension } = AUDIT_FILES[format];
    const release = await takePlace(`audit exports of ${caller.id}`, LIMITS.auditExports);
    if (!release) {
      METRICS.refusals.inc({ reason: 'audit_exports' });
      throw new DomainError('RATE_LIMITED', TOO_MANY, { headers: { 'Retry-After': '10' } });
    }
    try {
      const lines = this.readLines(caller, query);
      const first = await lines.next();
      const content = Readable.from(resumed(first, lines), { objectMode: false });
      content.once('close', release);
      const day = this.clock.now().toISOString().slice(0, 10);
      return { type, fileName: `audit-log-${day}.${extension}`, content };
    } catch (error) {
      release();
      throw error;
    }
  }

  private async *readLines(caller: Caller, query: AuditQuery): AsyncGenerator<string> {
    for (let after = query.after; ;) {
      const reach = await this.readReach(caller);
      const operator = caller.operator && (await isOperating(this.dataSource.manager, caller.apiKey.id));
      await this.requireAccess({ ...caller, operator, apiKey: { ...caller.apiKey, ...reach } }, query.scope);
      const page = withinReach({ ...query, after }, reach);
      const { rows, nextCursor } = await this.findPage(page, ENTRIES_AT_A_TIME);
      if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(presentAuditEntry(row))}\n`).join('');
      if (nextCursor === null) return;
      after = readCursor(nextCursor);
    }
  }
}

const OF_OTHERS = {
  api_key_id: null,
  api_key_prefix: null,
  way: null,
  client_id: null,
  client_name: null,
  request_id: null,
  address: null,
  client: null,
  email: null,
};

const positionOf = ({ at, id }: AuditEntry): CursorPosition => ({ createdAt: at, id });

function isOlder({ at, id }: AuditEntry, than: CursorPosition): boolean {
  const difference = at.getTime() - than.createdAt.getTime();
  return difference < 0 || (difference === 0 && id < than.id);
}

async function* resumed(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

/** An entry without the places that the key does not reach. */
const withinReachOf =
  ({ reach }: AuditQuery) =>
  (entry: AuditEntry): AuditEntry =>
    reach ? { ...entry, changes: reachedChanges(reach, entry.organization_id, entry.changes) } : entry;

/** Users see where others acted on them, but not from where, with which program and key, nor whom those invited. */
const withoutOthers =
  (userId: string) =>
  (entry: AuditEntry): AuditEntry =>
    entry.actor_id === userId || entry.actor_kind === 'anonymous' ? entry : { ...entry, ...OF_OTHERS };
