import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { run } from '../../../platform/database/sql.js';
import {
  cursorPage,
  writeCursor,
  type CursorPage,
  type CursorPosition,
} from '../../../platform/http/cursor.js';
import type { AuditEntry } from '../dto/audit-entry.response.dto.js';
import { horizonStatement, rowsStatement } from './audit-log.sql.js';
import type { AuditQuery } from './audit-query.js';

/** Reads pages of the log; who may read it is decided by the caller. */
@Injectable()
export class AuditLogService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * A page, newest first. Where no index serves all filters together, it may have fewer rows than `limit`, even none, although
   * more follow: it ends after a bounded number of rows that were read.
   */
  async page(query: AuditQuery, limit: number): Promise<CursorPage<AuditEntry>> {
    const found = await run<AuditEntry>(this.dataSource, rowsStatement(query, limit + 1));
    const entries = 'userId' in query.scope ? found.map(withoutOthers(query.scope.userId)) : found;
    const horizon = await this.horizon(query);
    const seen = horizon ? entries.filter((entry) => !isOlder(entry, horizon)) : entries;
    const page = cursorPage(seen, limit, positionOf);
    return horizon && !page.hasMore ? { ...page, hasMore: true, nextCursor: writeCursor(horizon) } : page;
  }

  /** Read after the rows, so that rows added in between only make it newer. */
  private async horizon(query: AuditQuery): Promise<CursorPosition | undefined> {
    const statement = horizonStatement(query);
    if (!statement) return undefined;
    const [last] = await run<CursorPosition>(this.dataSource, statement);
    return last;
  }
}

const positionOf = ({ at, id }: AuditEntry): CursorPosition => ({ createdAt: at, id });

function isOlder({ at, id }: AuditEntry, than: CursorPosition): boolean {
  const difference = at.getTime() - than.createdAt.getTime();
  return difference < 0 || (difference === 0 && id < than.id);
}

/** Users see where others acted on them, but not from which address and with which key, nor whom those invited. */
const withoutOthers =
  (userId: string) =>
  (entry: AuditEntry): AuditEntry =>
    entry.actorId === userId || entry.actorKind === 'anonymous'
      ? entry
      : { ...entry, apiKeyId: null, apiKeyPrefix: null, requestId: null, address: null, email: null };
