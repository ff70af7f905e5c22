import type { Adapter, AdapterPayload, ClientMetadata } from 'oidc-provider';
import { CLIENT_SCOPES } from '../../contract/scopes.js';
import type { ConnectionsService } from '../api-keys/connections/connections.service.js';
import type { RequestOrigin } from '../../policy/caller.js';
import { LIFETIMES } from './oauth-limits.js';
import type { ArtifactsStore } from './artifacts.store.js';
import type { OAuthClientsService } from './clients/oauth-clients.service.js';

/** Where `oidc-provider` keeps things, and what it reports. */
export interface Stores {
  readonly artifacts: ArtifactsStore;
  readonly clients: OAuthClientsService;
  readonly connections: ConnectionsService;
  /** The identifiers of all resources. */
  readonly resources: readonly string[];
  /** The request that `oidc-provider` is answering. */
  readonly origin: () => RequestOrigin;
  /** Returns the error for something that was used before. */
  readonly alreadyUsed: () => Error;
}

/** Returns where `oidc-provider` keeps what it calls by this name. */
export function adapterFor(kind: string, stores: Stores): Adapter {
  if (kind === 'Client') return clientAdapter(stores);
  if (kind === 'Grant') return grantAdapter(stores);
  const { artifacts, alreadyUsed } = stores;
  return {
    upsert: (id, payload, seconds = LIFETIMES.refreshToken) => artifacts.save(kind, id, payload, seconds),
    find: (id) => artifacts.find(kind, id),
    findByUserCode: (userCode) => artifacts.findByUserCode(kind, userCode),
    // Only sessions are looked for so, of which no account is kept.
    findByUid: async () => undefined,
    consume: async (id) => {
      if (!(await artifacts.consume(kind, id))) throw alreadyUsed();
    },
    destroy: (id) => artifacts.delete(kind, id),
    revokeByGrantId: (id) => artifacts.deleteOfConnection(kind, id),
  };
}

/** What a client is to `oidc-provider` whose secret is kept as its SHA-256. */
function clientAdapter({ clients }: Stores): Adapter {
  return only({
    upsert: (id, payload) => clients.saveDynamic(id, payload as ClientMetadata),
    find: async (id) => {
      const client = await clients.find(id);
      if (!client) return undefined;
      return {
        ...client.metadata,
        client_id: client.id,
        client_name: client.name,
        ...(client.secretHash && { client_secret: client.secretHash.toString('hex') }),
      } as AdapterPayload;
    },
  });
}

/** A connection is what `oidc-provider` calls a grant; the page for consent makes it. */
function grantAdapter({ connections, resources, origin }: Stores): Adapter {
  return only({
    find: async (id) => {
      const found = await connections.find(id);
      if (!found) return undefined;
      const scope = (found.scopes ?? CLIENT_SCOPES).join(' ');
      return {
        jti: found.id,
        kind: 'Grant',
        accountId: found.userId,
        clientId: found.oauthClient,
        iat: toSeconds(found.createdAt),
        ...(found.expiresAt && { exp: toSeconds(found.expiresAt) }),
        openid: { scope: 'offline_access' },
        resources: Object.fromEntries(resources.map((resource) => [resource, scope])),
      } as AdapterPayload;
    },
    destroy: (id) => connections.endByClient(id, origin()),
  });
}

/** `oidc-provider` does nothing else with clients and grants. */
const only = (adapter: Partial<Adapter>): Adapter => adapter as Adapter;

const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);
