import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { Clock } from '../../../platform/clock.js';
import { readCursor } from '../../../platform/http/cursor.js';
import type { TextFile } from '../../../platform/http/text-file.js';
import { AUDIT_FILES, type AuditFormat } from '../dto/list-audit-log.dto.js';
import { presentAuditEntry } from '../dto/audit-entry.response.dto.js';
import { AuditLogService } from './audit-log.service.js';
import type { AuditQuery } from './audit-query.js';

/** Entries read at a time: some hundred kilobytes. */
const ENTRIES_AT_A_TIME = 500;
const RETRY_AFTER = { 'Retry-After': '10' };

export interface Reader {
  readonly id: string;
  /** Throws once the user may not read the log any longer. */
  readonly requireAccess: () => Promise<void>;
}

/** Streams the log as a file: a page at a time, and only as fast as the client takes it. */
@Injectable()
export class AuditExportService {
  /** Open exports by user. */
  private readonly open = new Map<string, number>();

  constructor(
    private readonly log: AuditLogService,
    private readonly clock: Clock,
  ) {}

  /** A failure at the beginning is thrown; a later one, such as the loss of access, truncates the file. Null: no entries. */
  async file(query: AuditQuery | null, format: AuditFormat, reader: Reader): Promise<TextFile> {
    const { type, extension } = AUDIT_FILES[format];
    const release = this.take(reader.id);
    try {
      const lines = query ? this.lines(query, reader) : none();
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
    const open = this.open.get(userId) ?? 0;
    if (open >= LIMITS.auditExports) {
      throw new DomainError(
        'RATE_LIMITED',
        `You have ${open} exports of the audit log open already; wait until one has ended.`,
        { headers: RETRY_AFTER },
      );
    }
    this.open.set(userId, open + 1);
    return () => {
      const left = (this.open.get(userId) ?? 1) - 1;
      if (left > 0) this.open.set(userId, left);
      else this.open.delete(userId);
    };
  }

  private async *lines(query: AuditQuery, reader: Reader): AsyncGenerator<string> {
    for (let after = query.after; ;) {
      await reader.requireAccess();
      const { rows, nextCursor } = await this.log.page({ ...query, after }, ENTRIES_AT_A_TIME);
      if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(presentAuditEntry(row))}\n`).join('');
      if (nextCursor === null) return;
      after = readCursor(nextCursor);
    }
  }
}

async function* none(): AsyncGenerator<string> {}

async function* resumed(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
