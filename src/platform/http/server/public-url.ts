import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { SETTINGS, type Settings } from '../../config/settings.js';

/** The URL at which clients reach the service; every link is built from it. */
@Injectable()
export class PublicUrl {
  private port: number;

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {
    this.port = settings.port;
  }

  /** The actual port, known once the server is listening (`PORT=0`). */
  setPort(port: number): void {
    this.port = port;
  }

  get base(): string {
    return this.settings.publicUrl ?? `http://localhost:${this.port}`;
  }

  /** Path prefix of all URLs, empty at the root of a host. For pages, which may be opened under another host name. */
  get path(): string {
    return new URL(this.base).pathname.replace(/\/$/, '');
  }

  get host(): string {
    return new URL(this.base).hostname;
  }

  /** The host name that a request came to, if it is another one. */
  otherHost({ hostname }: Request): string | null {
    const asked = hostname.toLowerCase().replace(/\.$/, '');
    return asked === this.host ? null : asked;
  }

  /** Whether `PUBLIC_URL` names it. */
  get isConfigured(): boolean {
    return this.settings.publicUrl !== undefined;
  }

  get isSecure(): boolean {
    return this.base.startsWith('https:');
  }

  /** Scheme and host of its pages: without a configured URL, they may be opened under any name of the host. */
  originFor({ protocol, headers }: Request): string {
    return this.isConfigured ? new URL(this.base).origin : `${protocol}://${headers.host}`;
  }

  /** Returns the absolute URL of a path that starts with a slash; at a `domain`, if there is one, in place of the host. */
  resolve(path: string, domain: string | null = null): string {
    return (domain === null ? this.base : `https://${domain}${this.path}`) + path;
  }

  /** Returns the `Link` header of an error: its entry in the guide of errors; undefined if the guides are not served. */
  helpWith(code: string): string | undefined {
    if (!this.settings.apiDocs) return undefined;
    return `<${this.resolve('/docs/guide/errors')}#${code.toLowerCase()}>; rel="help"`;
  }
}
