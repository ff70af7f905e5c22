import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../platform/clock.js';
import { preparedQuery } from '../../platform/database/prepared-query.js';
import { bearerToken } from '../../platform/http/bearer-token.js';
import { DomainError } from '../../contract/domain-error.js';
import { hashSecret } from '../../platform/secrets.js';
import { keyRefusal, type KeyFacts } from '../../policy/api-keys.js';
import type { UserPlan } from '../../policy/plans.js';
import { SignInsService } from '../audit/gathered/sign-ins.service.js';
import { ApiKeyUsageService } from '../api-keys/api-key-usage.service.js';
import type { Caller, RequestOrigin } from '../../policy/caller.js';

interface KeyRow extends KeyFacts {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly user_name: string;
  readonly plan: UserPlan;
  readonly operator: boolean;
}

const KEY = {
  name: 'api-key',
  text: `SELECT k.id, k.name, k.prefix, k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
                u.id AS "userId", u.email, u.email_verified AS "emailVerified", u.name AS user_name, u.plan, u.operator
         FROM api_keys k LEFT JOIN users u ON u.id = k.user_id WHERE k.hash = $1`,
};

const STANDINGS = `SELECT id, expires_at AS "expiresAt", revoked_at AS "revokedAt", user_id AS "userId"
  FROM api_keys WHERE id = ANY ($1)`;

/** Whether a key that was accepted before still works. */
export interface KeyStanding {
  readonly refusal: 'INVALID_API_KEY' | 'API_KEY_EXPIRED' | 'USER_NOT_FOUND' | null;
  readonly expiresAt: Date | null;
}

/** Resolves the `Authorization` header to a caller. Nothing is cached, so a revoked key fails immediately in every process. */
@Injectable()
export class AuthService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly usage: ApiKeyUsageService,
    private readonly signIns: SignInsService,
    private readonly clock: Clock,
  ) {}

  /** Refuses in the order of the contract: header, key, expiry, user. */
  async authenticate(authorization: string | undefined, request?: RequestOrigin): Promise<Caller> {
    const secret = bearerToken(authorization);
    if (!secret) throw new DomainError('UNAUTHORIZED');
    const key = await this.find(secret);
    if (!key) throw new DomainError('INVALID_API_KEY');
    const now = this.clock.now();
    const refusal = keyRefusal(key, now);
    if (key.userId === null) throw new DomainError(refusal ?? 'USER_NOT_FOUND');
    if (refusal) {
      if (request) this.signIns.refused({ id: key.id, userId: key.userId }, request, refusal);
      throw new DomainError(refusal);
    }
    this.usage.touch(key.id, now);
    if (request) this.signIns.succeeded({ id: key.id, userId: key.userId }, request, now);
    return {
      id: key.userId,
      email: key.email,
      emailVerified: key.emailVerified,
      name: key.user_name,
      plan: key.plan,
      operator: key.operator,
      apiKey: { id: key.id, name: key.name, prefix: key.prefix },
      request,
    };
  }

  /** Of keys by their ids, for what goes on after a request was accepted. */
  async standings(apiKeyIds: readonly string[]): Promise<ReadonlyMap<string, KeyStanding>> {
    const rows = await this.dataSource.query<(KeyFacts & { id: string })[]>(STANDINGS, [apiKeyIds]);
    const keys = new Map(rows.map((row) => [row.id, row]));
    const now = this.clock.now();
    return new Map(
      apiKeyIds.map((id) => {
        const key = keys.get(id);
        const refusal = key ? keyRefusal(key, now) : 'INVALID_API_KEY';
        return [id, { refusal, expiresAt: key?.expiresAt ?? null }];
      }),
    );
  }

  private async find(secret: string): Promise<KeyRow | undefined> {
    const rows = await preparedQuery<KeyRow>(this.dataSource, KEY, [hashSecret(secret)]);
    return rows[0];
  }
}
