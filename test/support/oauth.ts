import { createHash, randomBytes } from 'node:crypto';
import { nextOf, Visitor, type Visit } from './browser-visit.js';
import { SESSION } from './client.js';
import { PublicUrl } from '../../src/platform/http/server/public-url.js';
import { keyOf } from '../factories/workspace.js';
import { sessionOf } from './sessions.js';
import type { TestService } from './service.js';

export const REDIRECT = 'https://assistant.test/callback';

/** What a request for authorization has besides the client, and how the user decides. */
export interface Wanted {
  readonly scope?: string;
  readonly resource?: string;
  readonly state?: string;
  readonly form?: Readonly<Record<string, string | readonly string[]>>;
  readonly params?: Readonly<Record<string, string | undefined>>;
}

/** What the token endpoint replied. */
export interface TokenReply {
  readonly status: number;
  readonly body: {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly expires_in: number;
    readonly scope: string;
    readonly error?: string;
    readonly error_description?: string;
  };
}

/** An OAuth client; methods that need a user take their browser. */
export class OAuthApp {
  readonly verifier = randomBytes(32).toString('base64url');

  private constructor(
    readonly base: string,
    readonly clientId: string,
    readonly secret?: string,
  ) {}

  static of(base: string, clientId: string, secret?: string): OAuthApp {
    return new OAuthApp(base, clientId, secret);
  }

  /** Registers itself (RFC 7591). */
  static async register(base: string, metadata: object = {}): Promise<OAuthApp> {
    const { status, body } = await postJson(`${base}/oauth/register`, {
      client_name: 'Assistant',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      ...metadata,
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return new OAuthApp(base, body.client_id, body.client_secret);
  }

  authorizationUrl({
    scope = 'recordings:read transcripts:read',
    resource,
    state = 's1',
    params,
  }: Wanted = {}): URL {
    const url = new URL('/oauth/authorize', this.base);
    const query = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: REDIRECT,
      scope,
      state,
      resource,
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...params,
    };
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, value);
    return url;
  }

  /** Opens the page for consent. */
  ask(visitor: Visitor, wanted: Wanted = {}): Promise<Visit> {
    return visitor.open(this.authorizationUrl(wanted), (url) => url.href.startsWith(REDIRECT));
  }

  /** Decides on that page, and returns where this leads. */
  async decide(visitor: Visitor, page: Visit, form: Wanted['form'] = {}): Promise<URL> {
    const resumed = await this.submit(visitor, page, form);
    return nextOf(resumed) ?? resumed.url;
  }

  /** Decides on that page, and returns the reply of the service. */
  async submit(visitor: Visitor, page: Visit, form: Wanted['form'] = {}): Promise<Visit> {
    const fields = { ...fieldsOf(page.text), decision: 'allow', ...form };
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields))
      for (const one of [value].flat()) body.append(name, one);
    const decided = await visitor.request(page.url, {
      method: 'POST',
      body,
      headers: { origin: page.url.origin, 'sec-fetch-site': 'same-origin' },
    });
    const next = nextOf(decided);
    if (!next) throw new Error(`${decided.status} ${decided.text}`);
    return visitor.request(next);
  }

  /** Enters the code of a device, and decides. Returns the last page. */
  async decideForDevice(visitor: Visitor, address: string, form: Wanted['form'] = {}): Promise<URL> {
    const page = await visitor.open(address);
    const entered = await visitor.request(page.url.origin + page.url.pathname, {
      method: 'POST',
      body: new URLSearchParams(fieldsOf(page.text) as Record<string, string>),
      headers: { origin: page.url.origin, 'sec-fetch-site': 'same-origin' },
    });
    const consent = nextOf(entered);
    if (!consent) throw new Error(`${entered.status} ${entered.text}`);
    return this.decide(visitor, await visitor.open(consent), form);
  }

  /** Connects a device, and returns its first tokens. */
  async connectDevice(
    visitor: Visitor,
    scope: string,
    resource = `${this.base}/api/v1`,
  ): Promise<TokenReply['body']> {
    const { body: device } = await this.post('/oauth/device-authorization', { scope, resource });
    const { verification_uri_complete: address, device_code } = device as unknown as Record<string, string>;
    await this.decideForDevice(visitor, address!);
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const { status, body } = await this.token({ grant_type, device_code });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  }

  /** Connects, and returns the first tokens. */
  async connect(visitor: Visitor, wanted: Wanted = {}): Promise<TokenReply['body']> {
    const back = await this.decide(visitor, await this.ask(visitor, wanted), wanted.form);
    const { status, body } = await this.redeem(back.searchParams.get('code')!, { resource: wanted.resource });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  }

  redeem(code: string, params: Readonly<Record<string, string | undefined>> = {}): Promise<TokenReply> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      code_verifier: this.verifier,
      ...params,
    });
  }

  refresh(token: string, params: Readonly<Record<string, string | undefined>> = {}): Promise<TokenReply> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token, ...params });
  }

  token(params: Readonly<Record<string, string | undefined>>): Promise<TokenReply> {
    return this.post('/oauth/token', params);
  }

  async post(path: string, params: Readonly<Record<string, string | undefined>>): Promise<TokenReply> {
    const body = new URLSearchParams();
    const all = { client_id: this.clientId, client_secret: this.secret, ...params };
    for (const [name, value] of Object.entries(all)) if (value !== undefined) body.set(name, value);
    const response = await fetch(new URL(path, this.base), { method: 'POST', body });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  }
}

/** The service under the name that it has for others. */
export const issuerOf = ({ app }: Pick<TestService, 'app'>): string => app.get(PublicUrl).base;

/** A browser in which a user has signed in. */
export async function browserOf(
  service: TestService,
  who: string,
  how?: Parameters<typeof sessionOf>[2],
): Promise<Visitor> {
  const visitor = new Visitor();
  const { body } = await service.api.as(keyOf(who)).get('/me');
  const session = await sessionOf(service, body.data.id, how);
  visitor.setCookie(issuerOf(service), 'mrs_session', session.slice(SESSION.length));
  return visitor;
}

async function postJson(url: string, body: object) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** The fields of the form of a page, as they are filled in. */
function fieldsOf(html: string): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {};
  for (const [input] of html.matchAll(/<input[^>]*>/g)) {
    const [, name = ''] = /name="([^"]*)"/.exec(input) ?? [];
    const [, value = ''] = /value="([^"]*)"/.exec(input) ?? [];
    if (/type="(checkbox|radio)"/.test(input) && !/ checked/.test(input)) continue;
    fields[name] = name in fields ? [fields[name]!, value].flat() : value;
  }
  const [, selected = ''] = /<option value="([^"]*)" selected/.exec(html) ?? [];
  return { ...fields, days: selected };
}
