import { Injectable } from '@nestjs/common';
import type { ClientMetadata } from 'oidc-provider';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type EntityManager, type Repository } from 'typeorm';
import { conflict, DomainError } from '../../../contract/domain-error.js';
import { Clock } from '../../../platform/clock/clock.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { isUuid, newId } from '../../../platform/ids.js';
import { hashSecret, randomBase62 } from '../../../platform/secrets/secrets.js';
import { NOT_A_MEMBER } from '../../../policy/advice.js';
import { changedBy, type Caller } from '../../../policy/caller.js';
import { requireOperator } from '../../api-keys/public/key-requirements.js';
import { OrganizationTransactions } from '../../organizations/organization-transactions.service.js';
import { OAuthClient } from '../entities/oauth-client.entity.js';
import { CLIENT_LIMITS } from '../oauth-limits.js';
import type { RegisterOAuthClientDto } from './oauth-client.dto.js';
import { deleteUnconnectedClients } from './oauth-clients.queries.js';

/** `clientSecret` is shown once; null for a public client. */
export interface RegisteredClient extends OAuthClient {
  readonly clientSecret: string | null;
}

const OPERATORS = 'register OAuth clients without an organization';

/** Registers OAuth clients: those of organizations and operators, and those that come by themselves. */
@Injectable()
export class OAuthClientsService {
  constructor(
    @InjectRepository(OAuthClient) private readonly clients: Repository<OAuthClient>,
    private readonly transactions: OrganizationTransactions,
    private readonly clock: Clock,
  ) {}

  /** OWNER of the organization, or an operator; 409 `CONFLICT` for too many. */
  async register(caller: Caller, input: RegisterOAuthClientDto): Promise<RegisteredClient> {
    const organizationId = input.organization_id?.toLowerCase() ?? null;
    const clientSecret = input.confidential ? randomBase62() : null;
    const client: OAuthClient = {
      id: newId(),
      organizationId,
      dynamic: false,
      name: input.name,
      metadata: {
        redirect_uris: input.redirect_uris,
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: clientSecret === null ? 'none' : 'client_secret_basic',
      },
      secretHash: clientSecret === null ? null : hashSecret(clientSecret),
      createdAt: this.clock.now(),
    };
    await this.change(caller, organizationId, async (manager) => {
      const clients = manager.getRepository(OAuthClient);
      await clients.insert(client);
      if ((await clients.countBy(this.ownedBy(organizationId))) > CLIENT_LIMITS.registered)
        throw conflict(`At most ${CLIENT_LIMITS.registered} clients can be registered; delete one.`);
    });
    return { ...client, clientSecret };
  }

  /** Those of an organization, for its OWNER, or of the operators, newest first. */
  async list(caller: Caller, organizationId: string | null): Promise<readonly OAuthClient[]> {
    return this.change(caller, organizationId, (manager) =>
      manager.getRepository(OAuthClient).find({
        where: this.ownedBy(organizationId),
        order: { createdAt: 'DESC', id: 'DESC' },
      }),
    );
  }

  /** Returns one of those. 404 `NOT_FOUND`. */
  async get(caller: Caller, id: string): Promise<OAuthClient> {
    return this.changeOne(caller, id, async (_manager, client) => client);
  }

  /** Deletes one of those, and ends its connections. 404 `NOT_FOUND`. */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.changeOne(caller, id, (manager, client) =>
      manager.getRepository(OAuthClient).delete({ id: client.id }),
    );
  }

  find(id: string): Promise<OAuthClient | null> {
    return isUuid(id) ? this.clients.findOneBy({ id }) : Promise.resolve(null);
  }

  /** Stores a client that registers itself, and forgets those that nobody has connected. */
  async saveDynamic(
    id: string,
    { client_secret: secret, client_name: name = '', ...metadata }: ClientMetadata,
  ): Promise<void> {
    const now = this.clock.now();
    await deleteUnconnectedClients(this.clients.manager, now, CLIENT_LIMITS.unconnected);
    await this.clients.insert({
      id,
      organizationId: null,
      dynamic: true,
      name,
      metadata,
      secretHash: typeof secret === 'string' ? hashSecret(secret) : null,
      createdAt: now,
    });
  }

  private ownedBy(organizationId: string | null) {
    return { dynamic: false, organizationId: organizationId?.toLowerCase() ?? IsNull() };
  }

  private async changeOne<T>(
    caller: Caller,
    id: string,
    work: (manager: EntityManager, client: OAuthClient) => Promise<T>,
  ): Promise<T> {
    const found = isUuid(id) ? await this.clients.findOneBy({ id, dynamic: false }) : null;
    const missing = new DomainError('NOT_FOUND', 'OAuth client not found.');
    if (!found || (found.organizationId === null && !caller.operator)) throw missing;
    try {
      return await this.change(caller, found.organizationId, (manager) => work(manager, found));
    } catch (error) {
      // Others must not learn that it exists.
      const isStranger =
        error instanceof DomainError &&
        (error.code === 'ORGANIZATION_NOT_FOUND' || error.message === NOT_A_MEMBER);
      throw isStranger ? missing : error;
    }
  }

  private change<T>(
    caller: Caller,
    organizationId: string | null,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    if (organizationId !== null) return this.transactions.own(caller, organizationId, work);
    requireOperator(caller, OPERATORS);
    return transactionBy(this.clients.manager.dataSource, changedBy(caller), work);
  }
}
