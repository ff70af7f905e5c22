import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider, { type AccountClaims } from 'oidc-provider';

/** What a provider is called in the settings of a service, and its client. */
export const ACME = {
  name: 'acme',
  label: 'Acme Login',
  client_id: 'meetings',
  client_secret: 'a'.repeat(40),
};

/** A real provider of OpenID Connect on 127.0.0.1, which lets in whoever `login_hint` names. */
export class IdentityServer {
  /** By subject. */
  readonly accounts = new Map<string, Omit<AccountClaims, 'sub'>>();
  private handle: RequestListener = (_, response) => response.writeHead(503).end();
  private provider: Provider | undefined;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => this.handle(request, response));
  }

  /** Starts without being set up: a service that uses it is to be started first. */
  static async start(): Promise<IdentityServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new IdentityServer(server);
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** `base`: of the service, whose users sign in; `keys`: with which it signs, in place of one of its own. */
  async setUp(base: string, keys?: readonly JWK[]): Promise<void> {
    const own = `${base}/sign-in/with/${ACME.name}`;
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: ACME.client_id,
          client_secret: ACME.client_secret,
          redirect_uris: [`${own}/callback`],
          backchannel_logout_uri: `${own}/logout`,
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [...(keys ?? [await newKey('first')])] },
      cookies: { keys: ['cookies'] },
      claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      pkce: { required: () => true },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...this.accounts.get(id) }) }),
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client!.clientId,
          accountId: oidc.session!.accountId!,
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    const others = provider.callback();
    this.handle = (request, response) => {
      if (!request.url!.startsWith('/interaction/')) return void others(request, response);
      void provider.interactionDetails(request, response).then(({ params }) =>
        provider.interactionFinished(request, response, {
          login: { accountId: String(params['login_hint']) },
        }),
      );
    };
    this.provider = provider;
  }

  /** Ends a session from its side, by a request to the service. */
  async logOut(subject: string, session: string): Promise<void> {
    const client = (await this.provider!.Client.find(ACME.client_id)) as unknown as {
      backchannelLogout(subject: string, session: string): Promise<void>;
    };
    await client.backchannelLogout(subject, session);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

export async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
}
