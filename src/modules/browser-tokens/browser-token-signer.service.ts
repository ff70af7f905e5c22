import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { bearerToken } from '../../platform/http/requests/bearer-token.js';
import { UrlSigner } from '../../platform/secrets/url-signer.js';
import type { BrowserToken } from '../../policy/browser-tokens.js';

/** Begins every browser token; the number is the version of what follows. */
const PREFIX = 'mrb_1.';
const FORMAT = /^(mrb_1\.([\w-]+))\.([\w-]+)$/;

const API = /^\/api\/v1\//i;
const AUTHORIZATION = /(^|[\s,])authorization([\s,]|$)/i;

/** The browser token of a request, of whatever version, valid or not; undefined if it has none. */
export function sentBrowserToken({ headers }: Pick<Request, 'headers'>): string | undefined {
  const token = bearerToken(headers.authorization);
  return token?.startsWith('mrb_') ? token : undefined;
}

/** Browser tokens hold all that they say, signed: there is no row of them. */
@Injectable()
export class BrowserTokenSigner {
  constructor(private readonly signer: UrlSigner) {}

  sign(token: BrowserToken): string {
    const signed = PREFIX + Buffer.from(JSON.stringify(token)).toString('base64url');
    return `${signed}.${this.signer.signatureOf(signed)}`;
  }

  /** What a token says, even if it has expired; null if it was not signed here. */
  read(text: string): BrowserToken | null {
    const [, signed, content = '', signature = ''] = FORMAT.exec(text) ?? [];
    if (signed === undefined || !this.signer.hasSigned(signed, signature)) return null;
    return JSON.parse(Buffer.from(content, 'base64url').toString()) as BrowserToken;
  }

  /** A secret that all tokens of a key for the same recipient have in common: each reads replies kept for another. */
  credentialOf(keyId: string, recipient: string): string {
    return this.signer.signatureOf(`browser token of ${keyId} for ${recipient}`);
  }

  /**
   * Which origins may read the reply to a request, as the library `cors` takes it: those that are `configured`, and
   * those of its token, also of one that has expired. A preflight does not have the token yet, so any page may ask
   * whether it may send one; with a cookie it gets no further, which the reply would have to permit.
   */
  originsFor(request: Request, configured: '*' | false | string[]): boolean | '*' | string[] {
    if (configured === '*' || !API.test(request.path)) return configured;
    if (request.method === 'OPTIONS')
      return AUTHORIZATION.test(request.get('Access-Control-Request-Headers') ?? '') || configured;
    const token = this.read(sentBrowserToken(request) ?? '');
    return token ? [...(configured || []), ...token.origins] : configured;
  }
}
