import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, Not, Raw } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import type { KeyScopes } from '../../../contract/scopes.js';
import { isUuid, newId } from '../../../platform/ids.js';
import { hashSecret } from '../../../platform/secrets/secrets.js';
import { keyRefusal, UNLIMITED } from '../../../policy/api-keys.js';
import { anonymous, changedBy, type Caller, type RequestOrigin } from '../../../policy/caller.js';
import { endUnusedConnections } from '../api-keys.queries.js';
import type { ApiKey } from '../entities/api-key.entity.js';
import { OpenKeysService } from '../open-keys.service.js';

/** The key of a connection that works. */
export type ConnectionRow = ApiKey & { readonly userId: string; readonly oauthClient: string };

/** What somebody lets a client do. */
interface NewConnection {
  readonly client: { readonly id: string; readonly name: string };
  readonly scopes: KeyScopes;
  /** Null: all, and what belongs to none. */
  readonly organizationIds: readonly string[] | null;
  /** Null: until it is revoked. */
  readonly expiresAt: Date | null;
}

/** Lets OAuth clients act for users, and ends that: rows of API keys whose key nobody has. */
@Injectable()
export class ConnectionsService extends OpenKeysService<ConnectionRow> {
  protected readonly kind = 'connection';
  protected readonly most = LIMITS.connections;
  protected readonly isOfKind = { oauthClient: Not(IsNull()) };

  /** Connects a client for a caller who has signed in, and returns the id. The oldest connections in excess end. */
  async connect(caller: Caller, { client, ...limits }: NewConnection): Promise<string> {
    const createdAt = this.clock.now();
    const connection = {
      ...UNLIMITED,
      ...limits,
      id: newId(),
      userId: caller.id,
      name: client.name,
      prefix: 'oauth',
      hash: hashSecret(randomBytes(32).toString('hex')),
      createdAt,
      oauthClient: client.id,
      // Organizations may demand one.
      provider: caller.session?.provider ?? null,
    };
    await this.open(changedBy(caller), connection, (manager) =>
      endUnusedConnections(manager, caller.id, createdAt),
    );
    return connection.id;
  }

  /** Returns a connection that works, of any user. */
  async find(id: string): Promise<ConnectionRow | null> {
    const found = isUuid(id)
      ? await this.keys.findOneBy({ ...this.isOfKind, id, revokedAt: IsNull() })
      : null;
    return found && keyRefusal(found, this.clock.now()) === null ? (found as ConnectionRow) : null;
  }

  /** Ends a connection for its client, which gave it back, or of which a token was stolen. */
  async endByClient(id: string, origin: RequestOrigin): Promise<void> {
    await this.endBy(anonymous(origin), { id });
  }

  protected working(userId: string) {
    const now = this.clock.now();
    // Without a token, its client cannot use it any more.
    const id = Raw(
      (name) => `${name} IN (SELECT connection_id FROM oauth_artifacts WHERE expires_at > :now)`,
      { now },
    );
    const open = { ...this.isOfKind, id, userId, revokedAt: IsNull() };
    return [IsNull(), MoreThan(now)].map((expiresAt) => ({ ...open, expiresAt }));
  }
}
