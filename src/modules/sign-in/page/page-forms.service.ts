import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../../contract/domain-error.js';
import { readForm } from '../../../platform/http/bodies/body.js';
import { csrfToken, SessionCookie } from '../../../platform/http/requests/session-cookie.js';
import type { Caller } from '../../../policy/caller.js';
import { SignInService } from '../sign-in.service.js';

/** Reads forms of the service's own pages. */
@Injectable()
export class PageForms {
  constructor(
    private readonly signIn: SignInService,
    private readonly cookie: SessionCookie,
  ) {}

  /** 403 `FORBIDDEN` for one that no page of this service sent. */
  async read(request: Request, response: Response): Promise<URLSearchParams> {
    if (!this.cookie.isOwnPage(request)) throw new DomainError('FORBIDDEN');
    return readForm(request, response);
  }

  /** Returns who is signed in and sent the form, which has the token of their session; null if nobody is signed in. */
  async callerOf(form: URLSearchParams, request: Request): Promise<Caller | null> {
    const caller = await this.signIn.callerOf(request);
    if (caller && !this.cookie.permits(request, request.credential!, form.get('csrf') ?? ''))
      throw new DomainError('FORBIDDEN');
    return caller;
  }

  /** What the templates of forms show of whoever is signed in; null if nobody is. */
  async present(request: Request) {
    const caller = await this.signIn.callerOf(request);
    return caller && { name: caller.name, email: caller.email, csrf: csrfToken(request.credential!) };
  }
}
