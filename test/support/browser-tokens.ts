import { expect } from '@jest/globals';
import type { Client, Reply, RequestOptions } from './client.js';

/** The origin of the pages that tokens of tests are for. */
export const SITE = 'https://app.example';

/** Creates a browser token as the program that has an API key would. */
export async function browserToken(owner: Client, fields: object): Promise<string> {
  const { status, body } = await owner.post('/tokens', { origins: [SITE], ...fields });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data.token;
}

/** Sends requests like a page of an origin; null: like a program, which sends no `Origin`. */
export class Page {
  constructor(
    private readonly api: Client,
    private readonly token: string,
    private readonly origin: string | null = SITE,
  ) {}

  /** A page with a new token. */
  static async open(owner: Client, fields: object, origin: string | null = SITE): Promise<Page> {
    return new Page(owner, await browserToken(owner, fields), origin);
  }

  at(origin: string | null): Page {
    return new Page(this.api, this.token, origin);
  }

  request(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    const headers = { ...(this.origin === null ? {} : { origin: this.origin }), ...options.headers };
    return this.api.request(method, path, { ...options, key: this.token, headers });
  }

  get(path: string, options?: RequestOptions): Promise<Reply> {
    return this.request('GET', path, options);
  }

  post(path: string, body?: unknown, options?: RequestOptions): Promise<Reply> {
    return this.request('POST', path, { ...options, body });
  }

  patch(path: string, body?: unknown, options?: RequestOptions): Promise<Reply> {
    return this.request('PATCH', path, { ...options, body });
  }
}
