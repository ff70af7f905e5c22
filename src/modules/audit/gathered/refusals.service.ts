import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
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

declare global {
  namespace Express {
    interface Request {
      /** The operation, if it manages something; set by the API key guard. */
      managing?: string;
    }
  }
}

interface Gathered extends GatheredChange {
  readonly details: { readonly operation: string | null; readonly code: string; readonly count: number };
}

/**
 * Logs 403 `FORBIDDEN` of operations that manage something, which their tag says. They are gathered: a few rows a
 * minute for each caller, however many requests they send.
 */
@Injectable()
export class RefusalsService extends Tally<Gathered> {
  private readonly kindsOf = new Map<string, Set<string>>();

  constructor(
    private readonly dataSource: DataSource,
    logger: AppLogger,
  ) {
    super('refused requests to manage', logger, EVERY_MS);
  }

  note(error: unknown, request: Request & { caller?: Caller }): void {
    const { caller, managing: operation } = request;
    if (!caller || operation === undefined) return;
    if (!(error instanceof DomainError) || error.code !== 'FORBIDDEN') return;
    const { code } = error;
    const organizationId = findOrganizationId(request);
    const kinds = this.kindsOf.get(caller.id) ?? new Set<string>();
    const kind = `${organizationId} ${operation} ${code}`;
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
      client: caller.request?.client,
      organizationId: isOther ? null : organizationId,
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

/** The organization that a request names, in its path or as `organization_id`; null if that is no id. */
function findOrganizationId({ route, params, query, body }: Request): string | null {
  const { path } = route as { readonly path: string };
  const named = path.includes('/organizations/:id')
    ? String(params['id'])
    : (query['organization_id'] ?? (body as { organization_id?: unknown } | undefined)?.organization_id);
  return typeof named === 'string' && isUuid(named) ? named.toLowerCase() : null;
}
