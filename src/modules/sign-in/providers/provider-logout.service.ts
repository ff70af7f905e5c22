import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { JWTPayload } from 'jose';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import type { IdentityProvider } from '../../../platform/config/identity-providers.js';
import { mapViolations } from '../../../platform/database/database-errors.js';
import { readForm } from '../../../platform/http/bodies/body.js';
import { originOf } from '../../../platform/http/requests/client-address.js';
import { SessionsService } from '../../api-keys/sessions/sessions.service.js';
import { OneTimeSecretsService } from '../one-time-secrets.service.js';
import { IdentitiesService } from './identities.service.js';
import { FRESH, jose, ProviderConnections } from './provider-connections.service.js';
import { ProviderSignInService } from './provider-sign-in.service.js';
import { refusalOf } from './sign-in-refusal.js';

/** The URL of an issuer, with or without the slash of an empty path. */
const isIssuer = ({ issuer }: IdentityProvider, named: unknown): boolean =>
  typeof named === 'string' && URL.canParse(named) && new URL(named).href === new URL(issuer).href;

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Ends sessions when providers say so: by OpenID Connect Front-Channel Logout 1.0 and Back-Channel Logout 1.0. */
@Injectable()
export class ProviderLogoutService {
  constructor(
    private readonly providers: ProviderSignInService,
    private readonly connections: ProviderConnections,
    private readonly identities: IdentitiesService,
    private readonly sessions: SessionsService,
    private readonly secrets: OneTimeSecretsService,
  ) {}

  /**
   * Ends the session that the provider names in the address of a frame, which is sent without cookies. Returns the origin
   * of the provider. 400 `VALIDATION_ERROR` for an address of another issuer or without a session.
   */
  async frontChannel(name: string, request: Request): Promise<string> {
    const provider = this.providers.find(name);
    const { iss, sid } = request.query;
    if (!isIssuer(provider, iss) || typeof sid !== 'string' || sid === '')
      throw new DomainError('VALIDATION_ERROR');
    await this.sessions.endOfProvider(originOf(request), { provider: provider.name, providerSession: sid });
    return new URL(provider.issuer).origin;
  }

  /** Ends the session, or those of the user, that a logout token names: 200, or 400 if the token is not valid. */
  async backChannel(name: string, request: Request, response: Response): Promise<void> {
    const provider = this.providers.find(name);
    const token = (await readForm(request, response)).get('logout_token') ?? '';
    response.set('Cache-Control', 'no-store');
    const claims = await this.validated(provider, token);
    if (claims === null || !(await this.isFirst(claims))) {
      response.status(400).json({ error: 'invalid_request' });
      return;
    }
    const { sid, sub = '', iss = '' } = claims;
    const userId = sid === undefined ? await this.identities.find(iss, sub) : null;
    const whose = typeof sid === 'string' ? { providerSession: sid } : userId !== null && { userId };
    if (whose) await this.sessions.endOfProvider(originOf(request), { provider: provider.name, ...whose });
    response.status(200).end();
  }

  private async validated(provider: IdentityProvider, token: string): Promise<JWTPayload | null> {
    const [{ jwtVerify }, { config, keys }] = await Promise.all([jose(), this.connections.get(provider)]);
    const { issuer } = config.serverMetadata();
    try {
      const expected = { ...FRESH, issuer, audience: provider.client_id, requiredClaims: ['jti', 'events'] };
      const { payload } = await jwtVerify(token, keys, expected);
      const { events, nonce, sid, sub } = payload;
      const isLogout = typeof events === 'object' && events !== null && EVENT in events;
      const names = typeof sid === 'string' || (sid === undefined && typeof sub === 'string');
      return isLogout && nonce === undefined && names ? payload : null;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.code === 'INVALID_REPLY') return null;
      throw refusal;
    }
  }

  /** Whether the token was not used before. Kept for as long as it could be. */
  private async isFirst({ iss, jti }: JWTPayload): Promise<boolean> {
    const used = new DomainError('CONFLICT');
    try {
      const secret = JSON.stringify([iss, jti]);
      await mapViolations({ one_time_secrets_pkey: () => used }, () =>
        this.secrets.issue({ purpose: 'logout', minutes: LIMITS.signInMinutes, secret }),
      );
      return true;
    } catch (error) {
      if (error === used) return false;
      throw error;
    }
  }
}
