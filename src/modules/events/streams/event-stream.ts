import type { Response } from 'express';
import type { ServiceError } from '../../../platform/errors/service-error.js';
import { errorBody } from '../../../platform/http/replies/error.filter.js';
import type { EventPosition } from '../event-cursors.js';
import type { EventFilters } from '../dto/events.dto.js';
import type { EventReader, ReadEvent } from '../event-pages.service.js';
import type { Concerned } from '../events.queries.js';
import { SECOND_MS } from '../../../lib/durations.js';
import { LIMITS } from '../../../contract/limits.js';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // nginx would collect the messages.
  'X-Accel-Buffering': 'no',
} as const;

/** One client that receives events, as `text/event-stream`. */
export class EventStream {
  /** The organizations whose events it may have, as last read. */
  organizationIds: ReadonlySet<string> = new Set();
  /** Whether there may be events after `reached`. */
  isBehind = true;
  isReading = false;
  /** The time when its key expires. */
  keyExpiresAt: Date | null = null;
  private blockedSince: number | null = null;

  constructor(
    /** Its key may be narrowed. */
    public reader: EventReader,
    readonly filters: EventFilters,
    public reached: EventPosition,
    private readonly response: Response,
    private readonly cursorOf: (position: EventPosition) => string,
  ) {}

  get isOpen(): boolean {
    return !this.response.writableEnded && !this.response.destroyed;
  }

  /** Says at once where it begins: a client whose connection breaks before the first event misses nothing either. */
  begin(): void {
    this.response.status(200).set(HEADERS);
    this.response.write(
      `retry: ${LIMITS.reconnectSeconds * SECOND_MS}\nid: ${this.cursorOf(this.reached)}\n\n`,
    );
  }

  /** Whether new events may be for it. Its own may change its organizations, whatever their type. */
  isConcernedBy({ type, organizationId, userId }: Concerned): boolean {
    if (userId === this.reader.id) return true;
    if (organizationId === null || !this.organizationIds.has(organizationId)) return false;
    return this.filters.types?.has(type) ?? true;
  }

  /** Resolves once the client can take more; false if it is gone, or too slow to keep up. */
  async send({ payload, reached }: ReadEvent): Promise<boolean> {
    const data = JSON.stringify(payload);
    const id = this.cursorOf(reached);
    if (!this.isOpen) return false;
    if (this.response.write(`id: ${id}\nevent: ${payload.type}\ndata: ${data}\n\n`)) return true;
    return this.waitForDrain();
  }

  /** A comment that keeps the connection open, and how far the client has come without an event that concerns it. */
  beat(): void {
    if (!this.isOpen) return;
    if (!this.response.writableNeedDrain) {
      this.blockedSince = null;
      this.response.write(`: heartbeat\nid: ${this.cursorOf(this.reached)}\n\n`);
      return;
    }
    this.blockedSince ??= performance.now();
    if (performance.now() - this.blockedSince > LIMITS.slowStreamSeconds * SECOND_MS) this.response.destroy();
  }

  /** Closes it; a client reconnects, unless a reason tells it that it would be refused. */
  end(reason?: ServiceError, contact: string | null = null): void {
    if (!this.isOpen) return;
    if (this.response.writableNeedDrain) {
      this.response.destroy();
      return;
    }
    if (!reason) {
      this.response.end();
      return;
    }
    const body = errorBody({ code: reason.code, message: reason.messageFor(contact) });
    this.response.end(`event: end\ndata: ${JSON.stringify(body)}\n\n`);
  }

  private waitForDrain(): Promise<boolean> {
    const { response } = this;
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        response.off('drain', done).off('close', done);
        resolve(this.isOpen);
      };
      const timer = setTimeout(() => response.destroy(), LIMITS.slowStreamSeconds * SECOND_MS);
      response.once('drain', done).once('close', done);
    });
  }
}
