import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../../contract/domain-error.js';
import { RequestLimits } from '../../../platform/http/requests/request-limits.js';
import { SessionCookie } from '../../../platform/http/requests/session-cookie.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { METRICS } from '../../../platform/telemetry/metrics.js';
import type { Caller } from '../../../policy/caller.js';
import { SignInService } from '../sign-in.service.js';
import type { PasskeyAddition, PasskeyAttempt } from './passkey-bodies.js';
import { PasskeysService, type RelyingParty } from './passkeys.service.js';

/** Serves the scripts of pages: 403 `FORBIDDEN` for requests of other sites. */
@Injectable()
export class PasskeyPagesService {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly signIns: SignInService,
    private readonly cookie: SessionCookie,
    private readonly limits: RequestLimits,
    private readonly publicUrl: PublicUrl,
  ) {}

  attemptOptions(request: Request) {
    this.requireOwnPage(request);
    return this.passkeys.attemptOptions(this.partyOf(request));
  }

  /** Signs in whoever has the passkey, and returns where they go. Counts those that are not accepted like wrong keys. */
  async signIn({ credential, to }: PasskeyAttempt, request: Request, response: Response) {
    this.requireOwnPage(request);
    const party = this.partyOf(request);
    const userId = await this.passkeys.identify({ credential }, party).catch(async (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      METRICS.signInsRefused.inc({ code: error.code });
      await this.limits.countWrongKey(request, response);
      throw error;
    });
    await this.signIns.signIn({ userId, way: 'passkey' }, request, response);
    return { to: this.signIns.destination(to) };
  }

  async additionOptions(caller: Caller, request: Request) {
    requireSession(caller);
    return this.passkeys.additionOptions(caller, this.partyOf(request));
  }

  async add(caller: Caller, addition: PasskeyAddition, request: Request): Promise<void> {
    requireSession(caller);
    await this.passkeys.add(caller, addition, this.partyOf(request));
  }

  private requireOwnPage(request: Request): void {
    if (this.cookie.isOwnPage(request)) return;
    throw new DomainError('FORBIDDEN', 'This request must come from a page of this service.');
  }

  private partyOf(request: Request): RelyingParty {
    const origin = this.publicUrl.originFor(request);
    return { origin, id: origin.replace(/^https?:\/\//, '').replace(/:\d+$/, '') };
  }
}

/** A passkey is worth more than an API key, which may be limited. */
function requireSession({ session }: Caller): void {
  if (session === null)
    throw new DomainError('FORBIDDEN', 'Sign in to add a passkey; an API key cannot add one.');
}
