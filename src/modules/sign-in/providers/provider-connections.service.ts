import { Injectable } from '@nestjs/common';
import type { JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import type { Configuration, CustomFetch } from 'openid-client';
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

/** Seconds by which the clock of a provider may differ. */
export const CLOCK_TOLERANCE_S = 30;
/** Its tokens have just been issued; an older one has been kept by somebody, or its clock is wrong. */
export const FRESH = {
  clockTolerance: CLOCK_TOLERANCE_S,
  maxTokenAge: '5 minutes',
} satisfies JWTVerifyOptions;

/** How to talk to a provider, and the keys with which it signs. */
export interface Connection {
  readonly config: Configuration;
  readonly keys: JWTVerifyGetKey;
}

const bounded = boundedFetch(REQUEST);
const customFetch: CustomFetch = (url, { method, headers, body, signal }) =>
  bounded(url, { method, headers, body: body ?? null, signal: signal ?? null });

/** The libraries, which only those who sign in with a provider have to wait for. */
export const openid = () => import('openid-client');
export const jose = () => import('jose');

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

async function connect(provider: IdentityProvider): Promise<Connection> {
  const [client, keys] = await Promise.all([openid(), jose()]);
  const { client_id: id, client_secret: secret } = provider;
  const issuer = new URL(provider.issuer);
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  const config = await client.discovery(
    issuer,
    id,
    { client_secret: secret, [client.clockTolerance]: CLOCK_TOLERANCE_S },
    // What providers that do not say accept is laid down.
    (server, ...rest) =>
      ((server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true)
        ? basic
        : post)(server, ...rest),
    {
      [client.customFetch]: customFetch,
      // The settings allow that only within the machine or a private network.
      execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
    },
  );
  const { jwks_uri: address } = config.serverMetadata();
  if (address === undefined || new URL(address).protocol !== issuer.protocol)
    throw new TypeError('the provider has no jwks_uri, or one that is not safe');
  return {
    config,
    keys: keys.createRemoteJWKSet(new URL(address), {
      cacheMaxAge: MAX_AGE_MS,
      cooldownDuration: KEYS_COOLDOWN_MS,
      timeoutDuration: REQUEST.milliseconds,
      [keys.customFetch]: (url, init) => bounded(url, init),
    }),
  };
}
