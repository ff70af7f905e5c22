import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { JWTPayload } from 'jose';
import { LIMITS } from '../../../contract/limits.js';
import type { IdentityProvider } from '../../../platform/config/identity-providers.js';
import { mapViolations } from '../../../platform/database/database-errors.js';
import { readForm } from '../../../platform/http/bodies/body.js';
import { CardPages } from '../../../platform/http/pages/card-pages.js';
import { languageOf } from '../../../platform/http/pages/page-language.js';
import { originOf } from '../../../platform/http/requests/client-address.js';
import { SessionsService } from '../../api-keys/sessions/sessions.service.js';
import { OneTimeSecretsService } from '../one-time-secrets.service.js';
import { IdentitiesService } from './identities.service.js';
import { ProviderConnections } from './provider-connections.service.js';
import { TEXTS } from './provider-pages.wording.js';
import { ProviderSignInService } from './provider-sign-in.service.js';
import { refusalOf, SignInRefusal } from './sign-in-refusal.js';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const invalidLogout = (reason?: string) => new SignInRefusal('INVALID_LOGOUT', reason);

/** Ends sessions when providers say so: by OpenID Connect Front-Channel Logout 1.0 and Back-Channel Logout 1.0. */
@Injectable()
export class ProviderLogoutService {
  constructor(
    private readonly providers: ProviderSignInService,
    private readonly connections: ProviderConnections,
    private readonly identities: IdentitiesService,
    private readonly sessions: SessionsService,
    private readonly secrets: OneTimeSecretsService,
    private readonly pages: CardPages,
  ) {}

  /** Ends the session that the URL of a frame of the provider names: browsers send no cookie with that. */
  async frontChannel(request: Request, response: Response): Promise<void> {
    const { name, issuer } = this.providers.of(request);
    const { iss, sid } = request.query;
    if (!isIssuer(issuer, iss) || typeof sid !== 'string' || sid === '') throw invalidLogout();
    await this.sessions.endOfProvider(originOf(request), { provider: name, providerSession: sid });
    const { signedOut } = TEXTS[languageOf(request)];
    this.pages.send(response, 200, 'share/notice', { ...signedOut }, { framedBy: new URL(issuer).origin });
  }

  /** Ends the session that a logout token names or, if it names none, all of the user with this provider. */
  async backChannel(request: Request, response: Response): Promise<void> {
    const provider = this.providers.of(request);
    const token = (await readForm(request, response)).get('logout_token') ?? '';
    const { sid, sub = '', iss = '' } = await this.validated(provider, token);
    const userId = sid === undefined ? await this.identities.find(iss, sub) : null;
    const whose = typeof sid === 'string' ? { providerSession: sid } : userId !== null && { userId };
    if (whose) await this.sessions.endOfProvider(originOf(request), { provider: provider.name, ...whose });
    response.status(200).set('Cache-Control', 'no-store').end();
  }

  /** Returns the claims of a token that was not used before. */
  private async validated(provider: IdentityProvider, token: string): Promise<JWTPayload> {
    const { config, verify } = await this.connections.get(provider);
    const { issuer } = config.serverMetadata();
    const expected = { issuer, audience: provider.client_id, requiredClaims: ['jti', 'events'] };
    const claims = await verify(token, expected).catch((error: unknown) => {
      const { code, reason } = refusalOf(error);
      throw code === 'INVALID_REPLY' ? invalidLogout(reason) : new SignInRefusal(code, reason);
    });
    const { iss, jti, events, nonce, sid, sub } = claims;
    const isLogout = typeof events === 'object' && events !== null && EVENT in events;
    const names = typeof sid === 'string' || (sid === undefined && typeof sub === 'string');
    if (!isLogout || nonce !== undefined || !names) throw invalidLogout('claims');
    const used = { one_time_secrets_pkey: () => invalidLogout('used') };
    // Kept for longer than it is fresh.
    const kept = {
      purpose: 'logout',
      minutes: LIMITS.signInMinutes,
      secret: JSON.stringify([iss, jti]),
    } as const;
    await mapViolations(used, () => this.secrets.issue(kept));
    return claims;
  }
}

/** Whether both are the same, with or without the slash of an empty path. */
const isIssuer = (issuer: string, named: unknown): boolean =>
  typeof named === 'string' && URL.canParse(named) && new URL(named).href === new URL(issuer).href;
