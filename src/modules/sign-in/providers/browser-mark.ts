import { Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { LIMITS } from '../../../contract/limits.js';
import { MINUTE_MS } from '../../../lib/durations.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { hashSecret, randomBase62 } from '../../../platform/secrets/secrets.js';

const NAME = 'mrs_sign_in';
const VALUE = /^[A-Za-z\d]{20,100}$/;

/** Marks browsers, so that who starts to sign in with a provider in one cannot be made to finish in another. */
@Injectable()
export class BrowserMark {
  constructor(private readonly publicUrl: PublicUrl) {}

  /** Returns what stands for the browser; null if it is not marked. */
  read({ headers }: Request): string | null {
    const value = parseCookie(headers.cookie ?? '')[this.name] ?? '';
    return VALUE.test(value) ? hashSecret(value).toString('hex') : null;
  }

  /** Marks the browser, anew only if it is not: it may sign in within several tabs. */
  set(request: Request, response: Response): string {
    const known = parseCookie(request.headers.cookie ?? '')[this.name] ?? '';
    const value = VALUE.test(known) ? known : randomBase62();
    response.cookie(this.name, value, {
      path: '/',
      httpOnly: true,
      secure: this.publicUrl.isSecure,
      sameSite: 'lax',
      maxAge: LIMITS.signInMinutes * MINUTE_MS,
    });
    return hashSecret(value).toString('hex');
  }

  private get name(): string {
    return this.publicUrl.isSecure ? `__Host-${NAME}` : NAME;
  }
}
