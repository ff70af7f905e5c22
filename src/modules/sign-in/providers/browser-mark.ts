import { Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { LIMITS } from '../../../contract/limits.js';
import { MINUTE_MS } from '../../../lib/durations.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { hashSecret, randomBase62 } from '../../../platform/secrets/secrets.js';

const NAME = 'mrs_sign_in';
const LIFE = {
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  maxAge: LIMITS.signInMinutes * MINUTE_MS,
} as const;

/** A cookie that marks a browser, so that a sign-in with a provider is completed only in the browser that started it. */
@Injectable()
export class BrowserMark {
  constructor(private readonly publicUrl: PublicUrl) {}

  /** Returns what stands for the browser; null if it is not marked. */
  read({ headers }: Request): string | null {
    const value = parseCookie(headers.cookie ?? '')[this.name];
    return value ? hashSecret(value).toString('hex') : null;
  }

  /** Marks the browser for some minutes, and returns what stands for it. Several of its tabs may sign in. */
  set(request: Request, response: Response): string {
    const value = parseCookie(request.headers.cookie ?? '')[this.name] || randomBase62();
    response.cookie(this.name, value, { ...LIFE, secure: this.publicUrl.isSecure });
    return hashSecret(value).toString('hex');
  }

  private get name(): string {
    return this.publicUrl.isSecure ? `__Host-${NAME}` : NAME;
  }
}
