import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import { SECOND_MS } from '../../../lib/durations.js';
import { readRetryAfter } from '../../../lib/retry-after.js';
import { Clock } from '../../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { NotificationsService } from '../../../platform/database/notifications.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { WorkerLoop } from '../../../platform/jobs/worker-loop.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { OutboundClient } from '../../../platform/outbound/outbound-client.js';
import { OutboundError } from '../../../platform/outbound/outbound-error.js';
import { OUTBOUND_URL_RULE } from '../../../platform/outbound/outbound-url.js';
import { RequestsUnderWay } from '../../../platform/outbound/requests-under-way.js';
import { observed } from '../../../platform/telemetry/observed.js';
import { presentAuditEntry } from '../dto/audit-entry.response.dto.js';
import { SEALED_CHANNEL } from '../seals/sealing.queries.js';
import { AuditStreamsService } from './audit-streams.service.js';
import { composeBatch } from './stream-formats.js';
import {
  claimStreams,
  findNext,
  noteOperatorStream,
  recordFailure,
  recordSent,
  type ClaimedStream,
  type StreamedEntry,
} from './streams.queries.js';

/** Each has up to a megabyte in memory. Receivers that hang or fail get at most half. */
const REQUESTS = { fast: 16, other: 16, all: 64 };
/** Time limits of one request: together less than the lease of a stream. */
export const STREAM_LIMITS = { totalMs: LIMITS.auditStreamReplySeconds * SECOND_MS };

/** Why a batch is sent again, and when the receiver wants it to be, in milliseconds from now. */
class Refusal extends OutboundError {
  constructor(
    message: string,
    readonly retryAfter: number | null = null,
  ) {
    super(message, { permanent: false });
  }
}

/**
 * Sends what has been sealed of the audit log to its receivers, in every worker process: of each stream one batch at a
 * time, from the position that the database has, and again until the receiver has taken it.
 */
@Injectable()
export class AuditSenderService extends WorkerLoop {
  private readonly requests = new RequestsUnderWay(REQUESTS);
  private readonly own = new OutboundClient({ allowPrivate: true });

  constructor(
    private readonly dataSource: DataSource,
    private readonly streams: AuditStreamsService,
    private readonly outbound: OutboundClient,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'auditStream'>,
    jobs: JobsService,
    notifications: NotificationsService,
    logger: AppLogger,
  ) {
    super(SEALED_CHANNEL, notifications, logger);
    jobs.runAlongside(this);
  }

  override async start(): Promise<void> {
    await noteOperatorStream(this.dataSource.manager, this.settings.auditStream !== null);
    await super.start();
  }

  /** Claims what there is room for. If it fails, what was claimed is due again when the lease ends. */
  protected async round(): Promise<void> {
    const streams = await claimStreams(this.dataSource.manager, this.requests, {
      now: this.clock.now(),
      own: this.settings.auditStream !== null,
    });
    for (const stream of streams) this.outlive(this.sendNext(stream));
  }

  private async sendNext(stream: ClaimedStream): Promise<void> {
    const { manager } = this.dataSource;
    const { id, organizationId, fast, failingSince } = stream;
    const request = this.requests.add(id, fast);
    try {
      // A receiver that refuses large batches gets smaller ones.
      const limit = Math.ceil(LIMITS.auditStreamBatch / 2 ** stream.tries);
      const { entries, end } = await findNext(manager, stream, limit);
      request.startedAt = performance.now();
      const position = entries.length === 0 ? end : await this.send(stream, entries);
      await recordSent(manager, stream, { position, now: this.clock.now() });
      if (failingSince) this.logger.info({ organizationId }, 'A receiver of the audit log takes it again');
    } catch (error) {
      if (!this.stopSignal.aborted) await this.note(stream, error);
    } finally {
      this.requests.end(request);
      this.wake();
    }
  }

  /** Returns the position up to which the receiver has taken the entries. Throws a `Refusal` if it has not. */
  private async send(stream: ClaimedStream, entries: readonly StreamedEntry[]): Promise<string> {
    const { id, organizationId, format } = stream;
    // Claimed only by processes whose settings name it.
    const own = organizationId === null ? this.settings.auditStream : null;
    const { url: text, token } = own ?? this.streams.reveal(id, stream);
    const outbound = own ? this.own : this.outbound;
    // The rules may have become stricter since it was set up.
    const url = outbound.read(text);
    if (!url) throw new Refusal(`The URL ${OUTBOUND_URL_RULE}.`);
    const { headers, body, count } = composeBatch(
      own?.format ?? format,
      token,
      entries.map(presentAuditEntry),
    );
    await observed('webhook', 'audit log', async () => {
      const what = { url, method: 'POST', headers, body, limits: STREAM_LIMITS, anyBody: true } as const;
      const reply = await outbound.request({ ...what, signal: this.stopSignal });
      reply.close();
      const { status, headers: replied } = reply;
      if (status >= 200 && status < 300) return;
      const wait = readRetryAfter(replied['retry-after'], this.clock.now().getTime());
      throw new Refusal(`The receiver answered with status ${status}.`, wait);
    });
    return entries[count - 1]!.position;
  }

  private async note(stream: ClaimedStream, error: unknown): Promise<void> {
    const { organizationId, failingSince } = stream;
    const isReceivers = error instanceof OutboundError;
    const now = this.clock.now();
    const { min, max } = LIMITS.auditStreamRetry;
    const delay = min * SECOND_MS * 2 ** stream.tries;
    const wait = error instanceof Refusal ? (error.retryAfter ?? 0) : 0;
    const dueAt = new Date(now.getTime() + Math.min(max * SECOND_MS, Math.max(delay, wait)));
    const message = isReceivers
      ? error.message
      : 'The service could not read what it is to send; see its log.';
    await recordFailure(this.dataSource.manager, stream, { error: message, now, dueAt }).catch(
      () => undefined,
    );
    const context = { organizationId, ...(isReceivers ? { reason: message } : { err: error }) };
    const level = organizationId === null || !isReceivers ? 'error' : 'warn';
    if (!failingSince) this.logger[level](context, 'A receiver of the audit log fails; will retry');
  }
}
