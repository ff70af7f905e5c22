import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import { MINUTE_MS, MINUTE_S } from '../../../lib/durations.js';
import { Clock } from '../../../platform/clock/clock.js';
import type { PageLanguage } from '../../../platform/http/pages/page-language.js';
import { sharedLimiter, takePoint } from '../../../platform/http/requests/limiters.js';
import { MailJobs, type ComposedMail } from '../../../platform/mail/mail-jobs.service.js';
import { Sealer } from '../../../platform/sealing/sealer.js';
import { findUserByEmail } from '../../users/public/users.queries.js';
import { SignInLinksService } from './sign-in-links.service.js';

const JOB = 'sign-in.mail';

/** Somebody asks for a link. Where it is to lead may have a token in it, so nothing is readable in the database. */
interface MailJob {
  /** `AskedFor` as JSON, in Base64. */
  readonly sealed: string;
  readonly keyId: string;
  readonly language: PageLanguage;
  /** In milliseconds. */
  readonly askedAt: number;
}

interface AskedFor {
  readonly email: string;
  /** Path of this service. */
  readonly to: string;
}

/**
 * Emails links to sign in with. A request does the same whether or not somebody has the address: the job finds out,
 * and issues the link, which thus is in no job.
 */
@Injectable()
export class SignInMailService implements OnModuleInit {
  private readonly limiter: RateLimiterPostgres;

  constructor(
    private readonly dataSource: DataSource,
    private readonly mail: MailJobs,
    private readonly links: SignInLinksService,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {
    const { count, minutes } = LIMITS.signInMails;
    const limit = { keyPrefix: 'signInMail', points: count, duration: minutes * MINUTE_S };
    this.limiter = sharedLimiter(dataSource, limit);
  }

  onModuleInit(): void {
    this.mail.handle<MailJob>(JOB, (job) => this.compose(job));
  }

  /** Whether a mail server is configured. */
  get enabled(): boolean {
    return this.mail.enabled;
  }

  /** Enqueues the email, if the address is that of a person. 429 `RATE_LIMITED` after too many for one address. */
  async request(asked: AskedFor, language: PageLanguage): Promise<void> {
    // Addresses are kept out of the table.
    const counted = createHash('sha256').update(asked.email.toLowerCase()).digest('base64url');
    await takePoint(this.limiter, counted, 'Too many emails were requested for this address.');
    const { sealed, keyId } = this.sealer.seal(JSON.stringify(asked), JOB);
    const job: MailJob = {
      sealed: sealed.toString('base64'),
      keyId,
      language,
      askedAt: this.clock.now().getTime(),
    };
    await this.mail.enqueue(this.dataSource.manager, JOB, [job]);
  }

  private async compose({ sealed, keyId, language, askedAt }: MailJob): Promise<ComposedMail | null> {
    const minutes = LIMITS.signInLinkMinutes;
    // They have asked again since, or given up; without its key, asking again helps.
    const isLate = this.clock.now().getTime() - askedAt > minutes * MINUTE_MS;
    if (isLate || !this.sealer.keyIds.includes(keyId)) return null;
    const opened = this.sealer.unseal({ sealed: Buffer.from(sealed, 'base64'), keyId }, JOB);
    const { email, to } = JSON.parse(opened) as AskedFor;
    const user = await findUserByEmail(this.dataSource.manager, email);
    if (!user || user.serviceOf !== null) return null;
    const url = new URL(await this.links.issueForMail(user));
    url.searchParams.set('to', to);
    return { to: user.email, template: 'sign-in-link', language, view: { url, minutes } };
  }
}
