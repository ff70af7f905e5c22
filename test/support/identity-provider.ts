import { jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { AccountClaims, default as Provider } from 'oidc-provider';

/** What a provider is called in the settings of a service, and its client. */
export const ACME = {
  name: 'acme',
  label: 'Acme Login',
  client_id: 'meetings',
  client_secret: 'a'.repeat(40),
};

const HOUR_S = 3_600;

/** A real provider of OpenID Connect on 127.0.0.1, which lets in whoever `login_hint` names, without asking. */
export class IdentityServer {
  /** By subject. */
  readonly accounts = new Map<string, Omit<AccountClaims, 'sub'>>();
  /** Who is let in without a `login_hint`: the subject. */
  visitor = '';
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

  /** `base`: of the service, whose users sign in. */
  setUp(base: string): Promise<void> {
    return quietly(() => this.create(base));
  }

  private async create(base: string): Promise<void> {
    const { default: Server } = await import('oidc-provider');
    const own = `${base}/sign-in/with/${ACME.name}`;
    const provider = new Server(this.issuer, {
      clients: [
        {
          client_id: ACME.client_id,
          client_secret: ACME.client_secret,
          redirect_uris: [`${own}/callback`],
          backchannel_logout_uri: `${own}/logout`,
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [await newKey()] },
      cookies: { keys: ['cookies'] },
      claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      // It warns of those that are left to it.
      ttl: {
        AccessToken: HOUR_S,
        AuthorizationCode: 60,
        IdToken: HOUR_S,
        Grant: HOUR_S,
        Interaction: HOUR_S,
        Session: HOUR_S,
      },
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
          login: { accountId: String(params['login_hint'] ?? this.visitor) },
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
    await quietly(() => client.backchannelLogout(subject, session));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: 'key', alg: 'RS256', use: 'sig' };
}

/** Without the warnings of the library, which are about production. */
async function quietly(work: () => Promise<void>): Promise<void> {
  const warnings = jest.spyOn(console, 'warn').mockImplementation(() => {});
  try {
    await work();
  } finally {
    warnings.mockRestore();
  }
}
