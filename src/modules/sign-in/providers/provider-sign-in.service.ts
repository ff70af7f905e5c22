import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { required } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import type { IdentityProvider } from '../../../platform/config/identity-providers.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { originOf } from '../../../platform/http/requests/client-address.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { GrantedMembershipsService } from '../../organizations/members/granted-memberships.service.js';
import { OneTimeSecretsService } from '../one-time-secrets.service.js';
import { SignInService } from '../sign-in.service.js';
import { BrowserMark } from './browser-mark.js';
import { IdentitiesService } from './identities.service.js';
import { readClaims, type Claims } from './provider-claims.js';
import { ProviderConnections } from './provider-connections.service.js';
import { grantedBy } from './provider-grants.js';
import { refusalOf, SignInRefusal } from './sign-in-refusal.js';

/** What is known between leaving for a provider and coming back. */
interface Attempt {
  readonly provider: string;
  readonly browser: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly to: string;
}

/** Signs people in with identity providers of the settings, by the code flow of OpenID Connect. */
@Injectable()
export class ProviderSignInService {
  constructor(
    private readonly connections: ProviderConnections,
    private readonly secrets: OneTimeSecretsService,
    private readonly browsers: BrowserMark,
    private readonly identities: IdentitiesService,
    private readonly memberships: GrantedMembershipsService,
    private readonly signIn: SignInService,
    private readonly publicUrl: PublicUrl,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'identityProviders'>,
  ) {}

  /** Returns the provider that the path of a request names. 404 `NOT_FOUND` if the settings have no such one. */
  of({ params }: Request): IdentityProvider {
    return required(
      this.settings.identityProviders.find(({ name }) => name === params['provider']),
      'NOT_FOUND',
    );
  }

  /** Sends the browser to the provider. */
  async start(request: Request, response: Response): Promise<void> {
    const provider = this.of(request);
    const { client, config } = await this.connections.get(provider);
    const attempt: Attempt = {
      provider: provider.name,
      browser: this.browsers.set(request, response),
      verifier: client.randomPKCECodeVerifier(),
      nonce: client.randomNonce(),
      to: this.signIn.destination(request.query['to']),
    };
    const state = await this.secrets.issue({
      purpose: 'provider',
      minutes: LIMITS.signInMinutes,
      details: attempt,
    });
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: this.callbackOf(provider),
      scope: provider.scope,
      state,
      nonce: attempt.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    });
    response.set('Cache-Control', 'no-store').redirect(303, address.href);
  }

  /** Signs in whoever comes back from the provider, and sends them to where they wanted to go. */
  async finish(request: Request, response: Response): Promise<void> {
    const provider = this.of(request);
    const attempt = await this.takeAttempt(provider, request);
    const claims = await this.claimsOf(provider, attempt, request);
    const origin = originOf(request);
    const userId = await this.identities.userOf(provider, claims, origin);
    const disabledIn = await this.identities.disabledIn(userId);
    for (const granted of grantedBy(provider.grants, claims))
      if (!disabledIn.includes(granted.organizationId))
        await this.memberships.apply(userId, granted, provider.name, { id: userId, request: origin });
    const who = { userId, way: 'provider', provider: provider.name, providerSession: claims.sid } as const;
    await this.signIn.signIn(who, request, response);
    response.set('Cache-Control', 'no-store').redirect(303, attempt.to);
  }

  private async takeAttempt(provider: IdentityProvider, request: Request): Promise<Attempt> {
    const taken = await this.secrets.take('provider', stateOf(request));
    const attempt = taken?.details as Attempt | undefined;
    if (attempt?.provider === provider.name && attempt.browser === this.browsers.read(request))
      return attempt;
    throw new SignInRefusal('SIGN_IN_EXPIRED');
  }

  /** Exchanges the code, and returns what the provider says about who brought it. */
  private async claimsOf(provider: IdentityProvider, attempt: Attempt, request: Request): Promise<Claims> {
    const { originalUrl: url } = request;
    const { client, config, verify } = await this.connections.get(provider);
    const reply = new URL(this.callbackOf(provider) + url.slice(url.indexOf('?')));
    try {
      const tokens = await client.authorizationCodeGrant(config, reply, {
        pkceCodeVerifier: attempt.verifier,
        expectedNonce: attempt.nonce,
        expectedState: stateOf(request),
        idTokenExpected: true,
      });
      const idToken = tokens.claims()!;
      // The library relies on TLS instead.
      await verify(tokens.id_token!);
      const hasMore = config.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore ? await client.fetchUserInfo(config, tokens.access_token, idToken.sub) : {};
      return readClaims(idToken, more);
    } catch (error) {
      throw refusalOf(error);
    }
  }

  private callbackOf({ name }: IdentityProvider): string {
    return this.publicUrl.resolve(`/sign-in/with/${name}/callback`);
  }
}

const stateOf = ({ query }: Request): string => String(query['state']);
