import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose';
import { nextOf, Visitor, type Visit } from './browser-visit.js';

export const CLIENT = { client_id: 'meetings', client_secret: 's'.repeat(40) };

/** How a token differs from what it should be. */
export interface Forgery {
  readonly claims?: JWTPayload;
  /** Signed with a key that the provider does not have, under the name of one that it has; or not signed. */
  readonly signature?: 'foreign' | 'none';
}

interface Key {
  readonly secret: CryptoKey;
  readonly published: JWK;
}

export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

/** A provider on 127.0.0.1 that says whatever a test wants, under any number of issuers: `/one`, `/two`. */
export class ForgingProvider {
  /** Answers nothing but 503. */
  isAway = false;
  readonly requests: string[] = [];
  /** By code. */
  private readonly idTokens = new Map<string, string>();

  private constructor(
    private readonly server: Server,
    private key: Key,
  ) {
    server.on('request', (request, response) => void this.answer(request, response));
  }

  static async start(): Promise<ForgingProvider> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ForgingProvider(server, await newKey('1'));
  }

  get base(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on, it signs with another key, and no longer publishes the one before. */
  async rotate(): Promise<void> {
    this.key = await newKey(`${Number(this.key.published.kid) + 1}`);
  }

  async sign(claims: JWTPayload, signature?: Forgery['signature']): Promise<string> {
    if (signature === 'none') return new UnsecuredJWT(claims).encode();
    const { secret } = signature === 'foreign' ? await newKey('1') : this.key;
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: this.key.published.kid! })
      .sign(secret);
  }

  /** A logout token, with what a test changes. */
  logoutToken({ claims, signature }: Forgery = {}, issuer = 'one'): Promise<string> {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const usual = { ...this.usual(issuer), jti: `${Math.random()}`, events };
    return this.sign({ ...usual, ...claims }, signature);
  }

  /**
   * Signs in at a service with the provider of this name in its settings, which is `issuer` here: leaves for it, and comes
   * back with a code for an ID token with these claims.
   */
  async signIn(
    [base, name, issuer = 'one']: readonly [base: string, name: string, issuer?: string],
    { claims, signature }: Forgery,
    visitor = new Visitor(),
  ): Promise<Visit> {
    return visitor.request(await this.callback([base, name, issuer], { claims, signature }, visitor));
  }

  /** The URL with which the provider would send the visitor back. */
  async callback(
    [base, name, issuer = 'one']: readonly [base: string, name: string, issuer?: string],
    { claims, signature }: Forgery,
    visitor: Visitor,
  ): Promise<string> {
    const left = await visitor.request(`${base}/sign-in/with/${name}`);
    const asked = nextOf(left)!.searchParams;
    const usual = { ...this.usual(issuer), sub: 'ada', nonce: asked.get('nonce')! };
    const code = randomUUID();
    this.idTokens.set(code, await this.sign({ ...usual, ...claims }, signature));
    const reply = new URLSearchParams({ code, state: asked.get('state')! });
    return `${asked.get('redirect_uri')}?${reply}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private usual(issuer: string): JWTPayload {
    const times = { iat: inSeconds(0), exp: inSeconds(300) };
    return { iss: `${this.base}/${issuer}`, aud: CLIENT.client_id, ...times };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!;
    this.requests.push(path);
    const form = new URLSearchParams(await readText(request));
    const reply = this.isAway ? undefined : this.replyTo(path, form);
    response.writeHead(reply ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply ?? {}));
  }

  private replyTo(path: string, form: URLSearchParams): object | undefined {
    if (path === '/jwks') return { keys: [this.key.published] };
    if (path === '/token') {
      const idToken = this.idTokens.get(form.get('code') ?? '');
      return { access_token: 'access', token_type: 'Bearer', id_token: idToken };
    }
    const [, issuer] = /^(\/.+)\/\.well-known\/openid-configuration$/.exec(path) ?? [];
    return (issuer && {
      issuer: this.base + issuer,
      authorization_endpoint: `${this.base}/authorize`,
      token_endpoint: `${this.base}/token`,
      jwks_uri: `${this.base}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    }) as object | undefined;
  }
}

async function newKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return {
    secret: privateKey,
    published: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' },
  };
}
