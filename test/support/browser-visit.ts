/** A page, or what else a browser was sent. */
export interface Visit {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const MAX_REDIRECTS = 20;

/** Keeps cookies and follows redirects, as a browser does. */
export class Visitor {
  private readonly jars = new Map<string, Map<string, string>>();

  constructor(private readonly language = 'en') {}

  /** Sends one request. */
  async request(address: string | URL, init: RequestInit = {}): Promise<Visit> {
    const url = new URL(address);
    const jar = this.jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: { 'accept-language': this.language, ...(cookie && { cookie }), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return { url, status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Follows redirects, but not to a URL that `until` holds for. */
  async open(address: string | URL, until: (url: URL) => boolean = () => false): Promise<Visit> {
    let visit = await this.request(address);
    for (let count = 0; count < MAX_REDIRECTS; count += 1) {
      const next = nextOf(visit);
      if (next === null || until(next)) return visit;
      visit = await this.request(next);
    }
    throw new Error(`Too many redirects, at last to ${visit.url}`);
  }

  cookie(address: string, name: string): string | undefined {
    return this.jarOf(new URL(address)).get(name);
  }

  setCookie(address: string, name: string, value: string): void {
    this.jarOf(new URL(address)).set(name, value);
  }

  private jarOf({ host }: URL): Map<string, string> {
    const jar = this.jars.get(host) ?? new Map<string, string>();
    this.jars.set(host, jar);
    return jar;
  }
}

/** Where a reply redirects to; null if it does not. */
export function nextOf({ url, status, headers }: Visit): URL | null {
  const location = headers.get('location');
  return status >= 300 && status < 400 && location !== null ? new URL(location, url) : null;
}
