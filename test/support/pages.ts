import type { TestService } from './service.js';

/** A reply with a page. */
export interface PageReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Opens pages and sends forms as a browser does, which keeps the cookies and follows no redirects. */
export class Visitor {
  /** The header of requests; empty before one was set. */
  cookie = '';

  constructor(
    private readonly service: Pick<TestService, 'api'>,
    private readonly headers: Record<string, string> = {},
  ) {}

  /** `path`: of the service, or a URL. `form`: sent by POST from a page of the service. */
  async open(
    path: string,
    form?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<PageReply> {
    const { base } = this.service.api;
    const response = await fetch(new URL(path, base), {
      redirect: 'manual',
      headers: {
        ...this.headers,
        ...(this.cookie && { cookie: this.cookie }),
        ...(form && { origin: base }),
        ...headers,
      },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const set of response.headers.getSetCookie()) this.cookie = set.split(';')[0] ?? '';
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** The user whom the browser has signed in, and the session; null if it has none. */
  async me() {
    const { body } = await this.service.api.get('/me', { headers: { cookie: this.cookie } });
    return body.data ?? null;
  }
}

/** Where a reply leads, with its status. */
export const led = ({ status, headers }: PageReply): [status: number, location: string | null] => [
  status,
  headers.get('location'),
];
