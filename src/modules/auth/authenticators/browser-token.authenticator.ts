import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { printable } from '../../../lib/text.js';
import { Clock } from '../../../platform/clock/clock.js';
import { originOf } from '../../../platform/http/requests/client-address.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { keyRefusal } from '../../../policy/api-keys.js';
import { narrowed, type BrowserToken } from '../../../policy/browser-tokens.js';
import type { Caller } from '../../../policy/caller.js';
import { BrowserTokenSigner, sentBrowserToken } from '../../browser-tokens/browser-token-signer.service.js';
import { AcceptedKeys } from '../accepted-keys.service.js';
import { readApiKey } from '../api-key.hot.sql.js';
import type { Authenticator } from './authenticator.js';

const NOT_OURS = 'This browser token is malformed, or this service has not signed it.';
const KEY_REFUSED =
  'The API key that this browser token stands for was revoked or has expired, or its user was deleted.';

/** By a browser token in the `Authorization` header: as its API key, but with less. */
@Injectable()
export class BrowserTokenAuthenticator implements Authenticator {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: BrowserTokenSigner,
    private readonly accepted: AcceptedKeys,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
  ) {}

  recognizes(request: Request): boolean {
    return sentBrowserToken(request) !== undefined;
  }

  /** 401 for a token or a key that no longer works, 403 `FORBIDDEN` for pages of other origins. */
  async authenticate(request: Request): Promise<Caller> {
    const text = sentBrowserToken(request)!;
    const token = this.tokens.read(text);
    if (!token) throw new DomainError('INVALID_API_KEY', NOT_OURS);
    const now = this.clock.now();
    if (new Date(token.expiresAt) <= now) throw new DomainError('TOKEN_EXPIRED');
    this.requireOrigin(token, request);
    const key = await readApiKey(this.dataSource, 'id', token.keyId);
    const refusal = key ? keyRefusal(key, now) : 'INVALID_API_KEY';
    if (!key || key.userId === null || refusal)
      throw new DomainError(refusal ?? 'USER_NOT_FOUND', KEY_REFUSED);
    // Without the origin: visitors come from anywhere, which says nothing about who has the key.
    const caller = this.accepted.callerOf({ ...key, ...narrowed(key, token) }, key.userId);
    const tokenCaller = { ...caller, browserToken: token, request: originOf(request) };
    const { recipient } = token;
    request.credential = recipient === undefined ? text : this.tokens.credentialOf(token.keyId, recipient);
    if (recipient === undefined) return tokenCaller;
    const client = [`for ${recipient}`, tokenCaller.request.client].join('; ');
    const origin = { ...tokenCaller.request, client };
    return { ...tokenCaller, request: origin, countedAs: `${caller.id} ${recipient}` };
  }

  private requireOrigin({ origins }: BrowserToken, request: Request): void {
    const { origin: sent, 'sec-fetch-site': site } = request.headers;
    // Browsers leave the header out of what a page reads from its own origin.
    const origin = sent ?? (site === 'same-origin' ? this.publicUrl.originFor(request) : undefined);
    if (origin !== undefined && origins.includes(origin)) return;
    const from = origin === undefined ? 'a program that sends no Origin' : `pages of ${printable(origin)}`;
    throw new DomainError(
      'FORBIDDEN',
      `This browser token is for pages of ${origins.join(', ')}, not for ${from}.`,
    );
  }
}
