import { Injectable } from '@nestjs/common';
import type { JWTPayload, JWTVerifyOptions } from 'jose';
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import { MINUTE_MS, SECOND_MS } from '../../../lib/durations.js';
import { Clock } from '../../../platform/clock/clock.js';
import type { IdentityProvider } from '../../../platform/config/identity-providers.js';
import { boundedFetch } from '../../../platform/models/bounded-fetch.js';
import { unavailable } from './sign-in-refusal.js';

/** Of a request to a provider, while somebody waits. A code works once, so nothing is sent twice. */
const REQUEST = { milliseconds: 10 * SECOND_MS, bytes: 1024 * 1024, retries: 0, firstWaitMs: 0 };
/** For which its endpoints and keys are used without asking again. Unknown keys are asked for earlier. */
const MAX_AGE_MS = 10 * MINUTE_MS;
/** Between two requests for unknown keys, which anybody can make up. */
const KEYS_COOLDOWN_MS = SECOND_MS;

/**
 * Tokens have just been issued: an older one has been kept by somebody, or the clock of the provider is wrong. Seconds
 * are those of `openid-client`.
 */
const FRESH = { clockTolerance: 30, maxTokenAge: '5 minutes' } satisfies JWTVerifyOptions;

/** How to talk to a provider. */
export interface Connection {
  readonly client: typeof import('openid-client');
  readonly config: Configuration;
  /** Returns the claims of a token that the provider has just signed. Throws for any other. */
  readonly verify: (token: string, expected?: JWTVerifyOptions) => Promise<JWTPayload>;
}

const bounded = boundedFetch(REQUEST);
const customFetch: CustomFetch = (url, { method, headers, body, signal }) =>
  bounded(url, { method, headers, body: body ?? null, signal: signal ?? null });

/** Knows what providers publish about themselves, for some minutes. */
@Injectable()
export class ProviderConnections {
  private readonly known = new Map<string, { readonly made: Promise<Connection>; readonly until: number }>();

  constructor(private readonly clock: Clock) {}

  /** Asks the provider unless it is known. Refuses as `PROVIDER_UNAVAILABLE` if it cannot be asked. */
  async get(provider: IdentityProvider): Promise<Connection> {
    const now = this.clock.now().getTime();
    const kept = this.known.get(provider.name);
    const entry = kept && kept.until > now ? kept : { made: connect(provider), until: now + MAX_AGE_MS };
    this.known.set(provider.name, entry);
    try {
      return await entry.made;
    } catch (error) {
      if (this.known.get(provider.name) === entry) this.known.delete(provider.name);
      throw unavailable(error);
    }
  }
}

/** Loads the libraries, which nobody else has to wait for. */
async function connect({
  issuer,
  client_id: id,
  client_secret: secret,
}: IdentityProvider): Promise<Connection> {
  const [client, jose] = await Promise.all([import('openid-client'), import('jose')]);
  const { protocol } = new URL(issuer);
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  const authenticate: ClientAuth = (server, ...rest) => {
    // The default of those that do not say.
    const takesBasic = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true;
    return (takesBasic ? basic : post)(server, ...rest);
  };
  const config = await client.discovery(new URL(issuer), id, undefined, authenticate, {
    [client.customFetch]: customFetch,
    // The settings allow that only within the machine or a private network.
    execute: protocol === 'http:' ? [client.allowInsecureRequests] : [],
  });
  const { jwks_uri: address = '' } = config.serverMetadata();
  if (!address.startsWith(protocol)) throw new TypeError('the provider has no safe jwks_uri');
  const keys = jose.createRemoteJWKSet(new URL(address), {
    cacheMaxAge: MAX_AGE_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
    timeoutDuration: REQUEST.milliseconds,
    [jose.customFetch]: bounded,
  });
  const verify: Connection['verify'] = async (token, expected) =>
    (await jose.jwtVerify(token, keys, { ...FRESH, ...expected })).payload;
  return { client, config, verify };
}
