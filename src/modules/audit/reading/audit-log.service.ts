import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { Clock } from '../../../platform/clock/clock.js';
import { run } from '../../../platform/database/sql.js';
import {
  cursorPage,
  readCursor,
  writeCursor,
  type CursorPage,
  type CursorPosition,
} from '../../../platform/http/replies/cursor.js';
import type { TextFile } from '../../../platform/http/replies/text-file.js';
import { presentAuditEntry, type AuditEntry } from '../dto/audit-entry.response.dto.js';
import { AUDIT_FILES, type AuditFormat } from '../dto/list-audit-log.dto.js';
import { horizonStatement, rowsStatement } from './audit-log.sql.js';
import type { AuditQuery } from './audit-query.js';

/** Entries of a file that are read at a time: some hundred kilobytes. */
const ENTRIES_AT_A_TIME = 500;
const RETRY_AFTER = { 'Retry-After': '10' };

export interface Reader {
  readonly id: string;
  /** Throws once the user may not read the log any longer. */
  readonly requireAccess: () => Promise<void>;
}

/** Reads the log, as pages and as files; who may read it is decided by the caller. */
@Injectable()
export class AuditLogService {
  /** Open files. */
  private readonly open = new Set<{ readonly userId: string }>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

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

  /**
   * Everything as a file, streamed a page at a time, and only as fast as the client takes it. A failure at the beginning is thrown;
   * a later one, such as the loss of access, truncates the file.
   */
  async file(query: AuditQuery, format: AuditFormat, reader: Reader): Promise<TextFile> {
    const { type, extension } = AUDIT_FILES[format];
    const release = this.take(reader.id);
    try {
      const lines = this.lines(query, reader);
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

  private take(userId: string): () => void {
    const open = [...this.open].filter((file) => file.userId === userId).length;
    if (open >= LIMITS.auditExports) {
      throw new DomainError(
        'RATE_LIMITED',
        `You have ${open} exports of the audit log open already; wait until one has ended.`,
        { headers: RETRY_AFTER },
      );
    }
    const file = { userId };
    this.open.add(file);
    return () => void this.open.delete(file);
  }

  private async *lines(query: AuditQuery, reader: Reader): AsyncGenerator<string> {
    for (let after = query.after; ;) {
      await reader.requireAccess();
      const { rows, nextCursor } = await this.page({ ...query, after }, ENTRIES_AT_A_TIME);
      if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(presentAuditEntry(row))}\n`).join('');
      if (nextCursor === null) return;
      after = readCursor(nextCursor);
    }
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

async function* resumed(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

/** Users see where others acted on them, but not from which address and with which key, nor whom those invited. */
const withoutOthers =
  (userId: string) =>
  (entry: AuditEntry): AuditEntry =>
    entry.actor_id === userId || entry.actor_kind === 'anonymous'
      ? entry
      : { ...entry, api_key_id: null, api_key_prefix: null, request_id: null, address: null, email: null };
