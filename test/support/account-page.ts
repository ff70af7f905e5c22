import type { SignedIn } from '../../src/modules/api-keys/sessions/sessions.service.js';
import { csrfToken } from '../../src/platform/http/requests/session-cookie.js';
import { SESSION, type Client } from './client.js';
import { sessionOf } from './sessions.js';
import type { TestService } from './service.js';

export interface ShownPage {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
}

/** The account page as a browser without scripts uses it. */
export class AccountPage {
  private constructor(
    private readonly base: string,
    /** Of the session. */
    readonly token: string,
    /** Uses the API with the same session. */
    readonly api: Client,
  ) {}

  /** In a new session of a user. */
  static async of(
    service: TestService,
    userId: string,
    client?: string,
    how?: Omit<SignedIn, 'userId'>,
  ): Promise<AccountPage> {
    const session = await sessionOf(service, userId, how, client);
    return new AccountPage(service.api.base, session.slice(SESSION.length), service.api.as(session));
  }

  open(query = '', headers: Record<string, string> = {}): Promise<ShownPage> {
    return this.fetch(`/account${query}`, { headers });
  }

  /** Sends a form, with several values of a field as a list. */
  send(
    action: string,
    fields: Readonly<Record<string, string | readonly string[]>> = {},
    headers: Record<string, string> = {},
  ): Promise<ShownPage> {
    const body = new URLSearchParams({ csrf: csrfToken(this.token), action });
    for (const [name, value] of Object.entries(fields)) {
      body.delete(name);
      for (const one of [value].flat()) body.append(name, one);
    }
    return this.fetch('/account', { method: 'POST', body, headers: { origin: this.base, ...headers } });
  }

  private async fetch(path: string, init: RequestInit): Promise<ShownPage> {
    const headers = { cookie: `mrs_session=${this.token}`, ...(init.headers as Record<string, string>) };
    const response = await fetch(this.base + path, { redirect: 'manual', ...init, headers });
    const { status } = response;
    return { status, location: response.headers.get('location'), text: await response.text() };
  }
}
