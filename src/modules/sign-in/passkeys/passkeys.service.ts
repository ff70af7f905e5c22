import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Request, Response } from 'express';
import type { Repository } from 'typeorm';
import { SERVICE_NAME } from '../../../contract/api-document.js';
import { conflict, DomainError, required } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { MINUTE_MS } from '../../../lib/durations.js';
import { Clock } from '../../../platform/clock/clock.js';
import { mapViolations } from '../../../platform/database/database-errors.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { originOf } from '../../../platform/http/requests/client-address.js';
import { RequestLimits } from '../../../platform/http/requests/request-limits.js';
import { SessionCookie } from '../../../platform/http/requests/session-cookie.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { isUuid, newId } from '../../../platform/ids.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { METRICS } from '../../../platform/telemetry/metrics.js';
import { changedBy, type Caller } from '../../../policy/caller.js';
import { SecurityEventsService } from '../../audit/security-events.service.js';
import { lockUser } from '../../users/public/users.queries.js';
import { Passkey } from '../entities/passkey.entity.js';
import { OneTimeSecretsService } from '../one-time-secrets.service.js';
import { SignInService } from '../sign-in.service.js';
import type { PasskeyAddition, PasskeyAttempt } from './passkey-bodies.js';

const REFUSED = 'This passkey was not accepted. Try again, or sign in another way.';
const TIMEOUT = LIMITS.signInMinutes * MINUTE_MS;
/** Takes 20 MB, so it is loaded by the first use of a passkey. */
const webauthn = () => import('@simplewebauthn/server');

/** Adds and removes passkeys of people who are signed in, and signs in whoever has one. */
@Injectable()
export class PasskeysService {
  constructor(
    @InjectRepository(Passkey) private readonly passkeys: Repository<Passkey>,
    private readonly secrets: OneTimeSecretsService,
    private readonly signIns: SignInService,
    private readonly cookie: SessionCookie,
    private readonly limits: RequestLimits,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
    private readonly securityEvents: SecurityEventsService,
    private readonly logger: AppLogger,
  ) {}

  /** Returns the passkeys of the caller, newest first. */
  list({ id: userId }: Caller): Promise<Passkey[]> {
    return this.passkeys.find({ where: { userId }, order: { createdAt: 'DESC', id: 'DESC' } });
  }

  /** Returns what a browser needs to make a passkey for the caller. 403 `FORBIDDEN` without a session. */
  async additionOptions(caller: Caller, request: Request) {
    requireSession(caller);
    const known = await this.list(caller);
    const { generateRegistrationOptions } = await webauthn();
    const options = await generateRegistrationOptions({
      rpID: this.expectedBy(request).expectedRPID,
      rpName: SERVICE_NAME,
      userID: handleOf(caller.id),
      userName: caller.email,
      userDisplayName: caller.name,
      timeout: TIMEOUT,
      excludeCredentials: known.map(({ credentialId, transports }) => ({
        id: credentialId.toString('base64url'),
        transports: [...transports],
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    });
    await this.issue(options.challenge, caller.id);
    return options;
  }

  /**
   * Adds a passkey of the caller. 403 `FORBIDDEN` without a session and for one that is not as asked for; 409 `CONFLICT`
   * for one too many.
   */
  async add(caller: Caller, { credential, name }: PasskeyAddition, request: Request): Promise<void> {
    requireSession(caller);
    const { verifyRegistrationResponse } = await webauthn();
    const { registrationInfo } = await this.verified(caller.id, (expectedChallenge) =>
      verifyRegistrationResponse({ ...this.expectedBy(request), expectedChallenge, response: credential }),
    );
    const { credential: made, credentialBackedUp } = required(registrationInfo, 'FORBIDDEN', REFUSED);
    const passkey = {
      id: newId(),
      userId: caller.id,
      credentialId: Buffer.from(made.id, 'base64url'),
      publicKey: Buffer.from(made.publicKey),
      counter: String(made.counter),
      transports: made.transports ?? [],
      name,
      backedUp: credentialBackedUp,
      createdAt: this.clock.now(),
      lastUsedAt: null,
    };
    await transactionBy(this.passkeys.manager.dataSource, changedBy(caller), async (manager) => {
      await lockUser(manager, caller.id);
      const passkeys = manager.getRepository(Passkey);
      if ((await passkeys.countBy({ userId: caller.id })) >= LIMITS.passkeys)
        throw conflict(
          `A user can have at most ${LIMITS.passkeys} passkeys; remove one that is no longer used.`,
        );
      await mapViolations(
        { passkeys_credential_id_key: () => conflict('This passkey is there already.') },
        () => passkeys.insert(passkey),
      );
    });
  }

  /** Removes a passkey of the caller, who can no longer sign in with it. 404 `NOT_FOUND`. */
  async remove(caller: Caller, id: string): Promise<void> {
    const where = { id, userId: caller.id };
    const { affected } = await transactionBy(
      this.passkeys.manager.dataSource,
      changedBy(caller),
      async (manager) => (isUuid(id) ? manager.getRepository(Passkey).delete(where) : { affected: 0 }),
    );
    if (!affected) throw new DomainError('NOT_FOUND', 'Passkey not found.');
  }

  /**
   * Returns what a browser needs to let somebody choose a passkey that it has for this service. 403 `FORBIDDEN` for
   * requests of other sites, as when signing in.
   */
  async attemptOptions(request: Request) {
    this.requireOwnPage(request);
    const { generateAuthenticationOptions } = await webauthn();
    const options = await generateAuthenticationOptions({
      rpID: this.expectedBy(request).expectedRPID,
      timeout: TIMEOUT,
      userVerification: 'preferred',
    });
    await this.issue(options.challenge);
    return options;
  }

  /**
   * Signs in whoever has the passkey, and returns where they go. 403 `FORBIDDEN` for whatever is not accepted, without
   * saying why; counts like wrong keys.
   */
  async signIn({ credential, to }: PasskeyAttempt, request: Request, response: Response) {
    this.requireOwnPage(request);
    const userId = await this.identify(credential, request).catch(async (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      METRICS.signInsRefused.inc({ code: error.code });
      this.securityEvents.wayInRefused({ way: 'passkey' }, originOf(request), error.code);
      await this.limits.countWrongKey(request, response);
      throw error;
    });
    await this.signIns.signIn({ userId, way: 'passkey' }, request, response);
    return { to: this.signIns.destination(to) };
  }

  private async identify(credential: PasskeyAttempt['credential'], request: Request): Promise<string> {
    const credentialId = Buffer.from(credential.id, 'base64url');
    const passkey = required(await this.passkeys.findOneBy({ credentialId }), 'FORBIDDEN', REFUSED);
    const { id, userId, counter, publicKey } = passkey;
    const { verifyAuthenticationResponse } = await webauthn();
    const isOfUser = Buffer.from(credential.response.userHandle, 'base64url').equals(handleOf(userId));
    const { verified, authenticationInfo: used } = await this.verified(null, (expectedChallenge) =>
      verifyAuthenticationResponse({
        ...this.expectedBy(request),
        expectedChallenge,
        response: credential,
        credential: { id: credential.id, publicKey: new Uint8Array(publicKey), counter: Number(counter) },
      }),
    );
    if (!verified || !isOfUser) throw refused();
    // Of two uses with the same counter, one is of a copy; and it may have been removed meanwhile.
    const { affected } = await this.passkeys.update(
      { id, counter },
      { counter: String(used.newCounter), backedUp: used.credentialBackedUp, lastUsedAt: this.clock.now() },
    );
    if (affected !== 1) throw refused();
    return userId;
  }

  private async issue(challenge: string, userId?: string): Promise<void> {
    const minutes = LIMITS.signInMinutes;
    await this.secrets.issue({ purpose: 'passkey', minutes, secret: challenge, userId });
  }

  /** Checks a credential, whose challenge works once, for the one whom it was issued to. */
  private async verified<T>(
    userId: string | null,
    verify: (isExpected: (challenge: string) => boolean) => Promise<T>,
  ): Promise<T> {
    let challenge = '';
    // The library throws plain errors for all that is wrong with a credential.
    const checked = await verify((given) => Boolean((challenge = given))).catch((error: unknown) => {
      this.logger.info({ err: error }, 'a passkey was refused');
      throw refused();
    });
    const secret = await this.secrets.take('passkey', challenge);
    if (secret?.userId !== userId) throw refused();
    return checked;
  }

  private requireOwnPage(request: Request): void {
    if (this.cookie.isOwnPage(request)) return;
    throw new DomainError('FORBIDDEN', 'This request must come from a page of this service.');
  }

  /** The service as browsers know it: passkeys belong to its host name. */
  private expectedBy(request: Request) {
    const expectedOrigin = this.publicUrl.originFor(request);
    const expectedRPID = expectedOrigin.replace(/^https?:\/\//, '').replace(/:\d+$/, '');
    return { expectedOrigin, expectedRPID, requireUserVerification: false } as const;
  }
}

/** A passkey is worth more than an API key, which may be limited. */
function requireSession({ session }: Caller): void {
  if (session === null)
    throw new DomainError('FORBIDDEN', 'Sign in to add a passkey; an API key cannot add one.');
}

const refused = (): DomainError => new DomainError('FORBIDDEN', REFUSED);

/** What a passkey keeps of its user. */
const handleOf = (userId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'));
