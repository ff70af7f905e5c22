import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { required } from '../../contract/domain-error.js';
import { originOf } from '../../platform/http/requests/client-address.js';
import { SessionCookie } from '../../platform/http/requests/session-cookie.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import type { Caller } from '../../policy/caller.js';
import { SessionsService, type SignedIn } from '../api-keys/sessions/sessions.service.js';
import { SessionAuthenticator } from '../auth/authenticators/session.authenticator.js';

/** Where people arrive unless they came from elsewhere. */
const HOME = '/app';
/** A path of this service: not `//host`, nor what browsers take for it, nor the page that leads there. */
const LOCAL_PATH = /^\/(?![/\\]|sign-(?:in|out)\b)[\x21-\x5b\x5d-\x7e]{0,2000}$/;

/** Signs people in and out in their browser, whichever way they came. */
@Injectable()
export class SignInService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly authenticator: SessionAuthenticator,
    private readonly cookie: SessionCookie,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Begins a session in this browser, which replaces the one that it had. */
  async signIn(who: SignedIn, request: Request, response: Response): Promise<void> {
    const begun = await this.sessions.begin(who, originOf(request), this.cookie.read(request));
    this.cookie.set(response, begun.token, begun.endsAt);
  }

  /** Replaces the session of this browser, as whenever the rights of its user rise. */
  async renew(caller: Caller, request: Request, response: Response): Promise<void> {
    const own = (await this.sessions.list(caller)).find(({ id }) => id === caller.apiKey.id);
    const { signedInBy: way, provider, providerSession } = required(own, 'SESSION_ENDED');
    await this.signIn({ userId: caller.id, way, provider, providerSession }, request, response);
  }

  /** Ends the session of this browser, if it has one. */
  async signOut(request: Request, response: Response): Promise<void> {
    const caller = await this.callerOf(request);
    if (caller) await this.sessions.end(caller, caller.apiKey.id);
    this.cookie.clear(response);
  }

  /** Returns who is signed in in this browser; null if nobody is. */
  async callerOf(request: Request): Promise<Caller | null> {
    return this.authenticator.callerOf(request);
  }

  /** Where to go after signing in: the path of this service that a request asks for, or the library. */
  destination(asked: unknown): string {
    const path = typeof asked === 'string' && LOCAL_PATH.test(asked) ? asked : HOME;
    return this.publicUrl.path + path;
  }
}
