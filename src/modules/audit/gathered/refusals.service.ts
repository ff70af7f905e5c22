import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Tally } from '../../../platform/database/tally.js';
import { isUuid } from '../../../platform/ids.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import type { Caller } from '../../../policy/caller.js';
import { logGathered, type GatheredChange } from './gathered.queries.js';

const EVERY_MS = 60_000;
/** Rows for one caller at a time; more are counted together. */
const MAX_PER_CALLER = 5;
/** Rows at a time in one process; more are not logged. */
const MAX_ROWS = 5_000;

export interface Refusal {
  /** `operationId` in the API document. */
  readonly operation: string;
  readonly code: string;
  /** The id in the path, whatever it is. */
  readonly organizationId: string | null;
}

interface Gathered extends GatheredChange {
  readonly details: { readonly operation: string | null; readonly code: string; readonly count: number };
}

/** Gathers attempts to manage what the caller may not: a few rows a minute for each, however many requests they send. */
@Injectable()
export class RefusalsService extends Tally<Gathered> {
  private readonly kindsOf = new Map<string, Set<string>>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    logger: AppLogger,
  ) {
    super('refused requests to manage', logger, EVERY_MS);
  }

  note(caller: Caller, { operation, code, organizationId }: Refusal): void {
    const organization =
      organizationId !== null && isUuid(organizationId) ? organizationId.toLowerCase() : null;
    const kinds = this.kindsOf.get(caller.id) ?? new Set<string>();
    const kind = `${organization} ${operation} ${code}`;
    const isOther = !kinds.has(kind) && kinds.size >= MAX_PER_CALLER - 1;
    const key = `${caller.id} ${isOther ? 'other' : kind}`;
    if (!this.has(key) && this.size >= MAX_ROWS) return;
    this.kindsOf.set(caller.id, isOther ? kinds : kinds.add(kind));
    this.add(key, {
      type: 'management.refused',
      actorKind: 'user',
      actorId: caller.id,
      apiKeyId: caller.apiKey.id,
      requestId: caller.request?.id ?? '',
      address: caller.request?.address ?? '',
      organizationId: isOther ? null : organization,
      targetId: null,
      userId: null,
      details: { operation: isOther ? null : operation, code, count: 1 },
    });
  }

  /** Keeps the latest, with the number of all. */
  protected merge(before: Gathered, after: Gathered): Gathered {
    return { ...after, details: { ...after.details, count: before.details.count + after.details.count } };
  }

  protected async write(refusals: ReadonlyMap<string, Gathered>): Promise<void> {
    this.kindsOf.clear();
    await logGathered(this.dataSource.manager, [...refusals.values()]);
  }
}
