import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import type { ChangeTypeName } from '../../contract/changes/change-catalog.js';
import { LIMITS } from '../../contract/limits.js';
import { HOUR_MS, MINUTE_MS } from '../../lib/durations.js';
import { Clock } from '../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { Tally } from '../../platform/database/tally.js';
import { limitedAddress, originOf } from '../../platform/http/requests/client-address.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import type { RequestOrigin } from '../../policy/caller.js';
import { logSecurityEvents, type SecurityEvent } from './security-events.queries.js';

const EVERY_MS = MINUTE_MS;
/** Rows at a time in one process, which are written early then; twice as many while the database is away. */
const FULL = 5_000;
/** Rows at a time for the visitors of one share link, who may be anybody; more are not logged. */
const MAX_PER_LINK = 100;
/** The reads that a process remembers; the oldest are forgotten, and may be logged again. */
const MAX_KNOWN = 50_000;
const REMEMBERED_MS = LIMITS.auditReadHours * HOUR_MS;

export type ReadType = Extract<ChangeTypeName, 'recording.watched' | 'transcript.read' | 'share_link.opened'>;

/** Who reads: a user with an API key, or a recipient of a share link. */
export type Reader = { readonly userId: string; readonly apiKeyId: string } | { readonly linkId: string };

/**
 * Logs who watched or read what, if `AUDIT_READS` says so: the first time of each reader and recording in an hour. Requests
 * only note it, and do not wait; it is written once a minute.
 */
@Injectable()
export class ReadsService extends Tally<SecurityEvent> {
  /** Callers ask this before anything else. */
  readonly isOn: boolean;
  /** When reads were logged, by what, whom and where. */
  private readonly known = new Map<string, number>();
  private readonly perLink = new Map<string, number>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(SETTINGS) { auditReads }: Pick<Settings, 'auditReads'>,
    logger: AppLogger,
  ) {
    super('who read what', logger, EVERY_MS);
    this.isOn = auditReads;
  }

  /** Without a request, as for a tool of a model, the origin may be absent. */
  note(type: ReadType, recordingId: string, reader: Reader, from: Request | RequestOrigin | undefined): void {
    const origin = from && 'headers' in from ? originOf(from) : from;
    const { id: requestId = '', address = '', client } = origin ?? {};
    const isUser = 'userId' in reader;
    const who = isUser ? reader.apiKeyId : `${reader.linkId} ${limitedAddress(address)}`;
    const id = `${type} ${recordingId} ${who}`;
    const now = this.clock.now().getTime();
    if (now - (this.known.get(id) ?? -Infinity) < REMEMBERED_MS || this.size >= 2 * FULL) return;
    if (!isUser) {
      const ofLink = this.perLink.get(reader.linkId) ?? 0;
      if (ofLink >= MAX_PER_LINK) return;
      this.perLink.set(reader.linkId, ofLink + 1);
    }
    this.known.delete(id);
    this.known.set(id, now);
    if (this.known.size > MAX_KNOWN) this.known.delete(this.known.keys().next().value!);
    this.add(id, {
      type,
      actorKind: isUser ? 'user' : 'recipient',
      actorId: isUser ? reader.userId : null,
      apiKeyId: isUser ? reader.apiKeyId : null,
      requestId,
      address,
      client,
      recordingId,
      targetId: isUser ? recordingId : reader.linkId,
      details: {},
    });
    if (this.size === FULL) void this.flush();
  }

  protected merge(before: SecurityEvent): SecurityEvent {
    return before;
  }

  protected async write(events: ReadonlyMap<string, SecurityEvent>): Promise<void> {
    this.perLink.clear();
    await this.dataSource.transaction((manager) => logSecurityEvents(manager, [...events.values()]));
  }
}
