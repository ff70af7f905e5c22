import { generateKeyPairSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { CLI } from '../../contract/cli.js';
import { CLIENT_SCOPES } from '../../contract/scopes.js';
import { originOf } from '../../platform/http/requests/client-address.js';
import { PlatformError } from '../../platform/errors/platform-error.js';
import { RequestLimits } from '../../platform/http/requests/request-limits.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { newId } from '../../platform/ids.js';
import { OutboundClient } from '../../platform/outbound/outbound-client.js';
import { Sealer } from '../../platform/sealing/sealer.js';
import { hashSecret } from '../../platform/secrets/secrets.js';
import { ConnectionsService } from '../api-keys/connections/connections.service.js';
import { ACCESS_TOKEN_PREFIX, type Audience } from '../auth/public/access-tokens.js';
import { ArtifactsStore } from './artifacts.store.js';
import { OAuthClientsService } from './clients/oauth-clients.service.js';
import { clientFetch } from './client-fetch.js';
import { restrictClient } from './client-rules.js';
import { adapterFor } from './oauth-adapter.js';
import { LIFETIMES } from './oauth-limits.js';
import { noteDevice, noteOf, noteRefusal } from './oauth-pages.js';

/** The paths of the authorization server, after the prefix of all URLs. */
export const OAUTH_PATHS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  device_authorization: '/oauth/device-authorization',
  code_verification: '/oauth/device',
} as const;
export const CONSENT_PATH = '/oauth/consent';
export const METADATA_PATH = '/.well-known/oauth-authorization-server';

/** The command line connects with a code that it shows. */
const CLI_CLIENT = {
  client_id: 'mrs',
  client_name: CLI,
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  response_types: [],
  redirect_uris: [],
} as const;

/** Of what only OpenID Connect has: nobody gets tokens about who they are. */
const OF_OPENID =
  /^(jwks_uri|claims|userinfo|id_token|subject_types|request_uri|claim_types|acr_values|end_session|backchannel)/;

/** The authorization server: `oidc-provider`, with what it keeps in this database. */
@Injectable()
export class OAuthServer {
  private made: Promise<Provider> | undefined;

  constructor(
    private readonly artifacts: ArtifactsStore,
    private readonly clients: OAuthClientsService,
    private readonly connections: ConnectionsService,
    private readonly outbound: OutboundClient,
    private readonly sealer: Sealer,
    private readonly publicUrl: PublicUrl,
    private readonly limits: RequestLimits,
    private readonly logger: AppLogger,
  ) {}

  /** Loads the library, which nobody else has to wait for. */
  get(): Promise<Provider> {
    return (this.made ??= this.make());
  }

  /** Identifiers of what tokens are issued for (RFC 8707): all, `/mcp`, or the API. */
  get resources(): Readonly<Record<string, Audience>> {
    const { base } = this.publicUrl;
    return { [base]: 'all', [`${base}/`]: 'all', [`${base}/mcp`]: 'mcp', [`${base}/api/v1`]: 'api' };
  }

  private async make(): Promise<Provider> {
    const { default: Server, errors, interactionPolicy } = await import('oidc-provider');
    const { resources } = this;
    const { path } = this.publicUrl;
    const stores = {
      artifacts: this.artifacts,
      clients: this.clients,
      connections: this.connections,
      resources: Object.keys(resources),
      origin: () => originOf(Server.ctx!.req as Request),
      alreadyUsed: () => new errors.InvalidGrant('it has been used already'),
    };
    const { Prompt, Check } = interactionPolicy;
    // Nobody is asked for less than before, or not at all, because of what they once decided.
    const undecided = new Check('undecided', 'the user has to decide', ({ oidc }) => !oidc.result?.consent);
    const cookies = { path: `${path}/oauth`, signed: true, httpOnly: true, sameSite: 'lax' } as const;
    const configuration: Configuration = {
      adapter: (kind) => adapterFor(kind, stores),
      clients: [CLI_CLIENT],
      clientDefaults: { id_token_signed_response_alg: 'ES256' },
      // For ID tokens, of which it issues none; it does not start without.
      jwks: {
        keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })],
      },
      scopes: ['offline_access'],
      claims: {},
      responseTypes: ['code'],
      clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
      pkce: { required: () => true },
      cookies: {
        keys: this.sealer.derive('oauth cookies').map((key) => key.toString('base64url')),
        names: { session: 'mrs_oauth', interaction: 'mrs_oauth_asked', resume: 'mrs_oauth_resumed' },
        long: cookies,
        short: { ...cookies, path: undefined },
      },
      routes: OAUTH_PATHS,
      interactions: {
        url: (_ctx, { uid }) => `${path}${CONSENT_PATH}/${uid}`,
        policy: [
          new Prompt({ name: 'login', requestable: true }),
          new Prompt({ name: 'consent', requestable: true }, undecided),
        ],
      },
      features: {
        devInteractions: { enabled: false },
        claimsParameter: { enabled: false },
        userinfo: { enabled: false },
        rpInitiatedLogout: { enabled: false },
        dPoP: { enabled: false },
        pushedAuthorizationRequests: { enabled: false },
        revocation: {
          enabled: true,
          allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
        },
        registration: { enabled: true, idFactory: () => newId(), issueRegistrationAccessToken: false },
        clientIdMetadataDocument: {
          enabled: true,
          ack: 'draft-02',
          allowFetch: (ctx: KoaContextWithOIDC) => this.mayFetch(ctx),
        },
        deviceFlow: {
          enabled: true,
          charset: 'base-20',
          mask: '****-****',
          deviceInfo: () => ({}),
          userCodeInputSource: (ctx, _form, out, error) => noteDevice(ctx, out, error),
          userCodeConfirmSource: (ctx) => noteDevice(ctx),
          successSource: (ctx) => noteOf(ctx, { name: 'decided', decision: 'connected' }),
        },
        resourceIndicators: {
          enabled: true,
          defaultResource: (_ctx, _client, oneOf) => oneOf ?? this.publicUrl.base,
          useGrantedResource: () => true,
          getResourceServerInfo: (_ctx, resource) => {
            const audience = Object.hasOwn(resources, resource) && resources[resource];
            if (!audience) throw new errors.InvalidTarget();
            return { audience, scope: CLIENT_SCOPES.join(' '), accessTokenFormat: 'opaque' };
          },
        },
      },
      extraClientMetadata: {
        properties: ['client_name'],
        validator: (_ctx, _name, _value, metadata) => {
          const problem = restrictClient(metadata);
          if (problem !== null) throw new errors.InvalidClientMetadata(problem);
        },
      },
      ttl: {
        AccessToken: LIFETIMES.accessToken,
        AuthorizationCode: LIFETIMES.code,
        DeviceCode: LIFETIMES.deviceCode,
        Interaction: LIFETIMES.interaction,
        Session: LIFETIMES.interaction,
        Grant: LIFETIMES.refreshToken,
        RefreshToken: ({ oidc }) => {
          const { exp } = oidc.entities.Grant ?? {};
          const left = exp === undefined ? Infinity : exp - Math.floor(Date.now() / 1000);
          return Math.max(1, Math.min(LIFETIMES.refreshToken, left));
        },
      },
      // No cookie is read by what clients request by themselves.
      clientBasedCORS: () => true,
      findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
      issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
      rotateRefreshToken: true,
      expiresWithSession: () => false,
      renderError: (ctx, out) => noteRefusal(ctx, out),
      fetch: clientFetch(this.outbound),
    };
    const provider = new Server(this.publicUrl.base, configuration);
    // The addresses in replies are those of the service, whichever name a request came under; see `OAuthRequests`.
    provider.proxy = true;
    provider.use(async (ctx, next) => {
      ctx['mountPath'] = path;
      await next();
      const { error } = (ctx.body ?? {}) as { readonly error?: string };
      if (error !== undefined) (ctx.req as Request).errorCode = error;
      if (ctx.path === METADATA_PATH) ctx.body = this.describe(ctx.body as object);
    });
    const tokens = provider.AccessToken.prototype as unknown as { generateTokenId(): string };
    const { generateTokenId } = tokens;
    tokens.generateTokenId = function (): string {
      return ACCESS_TOKEN_PREFIX + generateTokenId.call(this);
    };
    provider.Client.prototype.compareClientSecret = function (given: string): boolean {
      return hashSecret(given).toString('hex') === this.clientSecret;
    };
    const report = (err: unknown): void => this.logger.error({ err }, 'the authorization server failed');
    provider.on('server_error', (_ctx, err) => report(err));
    // What the library did not expect, which it would write past the log.
    (provider as NodeJS.EventEmitter).on('error', report);
    return provider;
  }

  /** Anybody can have the service fetch the metadata of a client, from anywhere: only so often from one address. */
  private async mayFetch({ req, res }: KoaContextWithOIDC): Promise<boolean> {
    try {
      await this.limits.countAddress('anonymousCostly', req as Request, res as Response);
      return true;
    } catch (error) {
      if (error instanceof PlatformError) return false;
      throw error;
    }
  }

  private describe(metadata: object): object {
    const kept = Object.entries(metadata).filter(([name]) => !OF_OPENID.test(name));
    return {
      ...Object.fromEntries(kept),
      response_modes_supported: ['query'],
      scopes_supported: [...CLIENT_SCOPES, 'offline_access'],
    };
  }
}
