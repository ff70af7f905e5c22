import { Injectable } from '@nestjs/common';
import { LessThan, type EntityManager } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { DomainError } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
import { EmailedRecipient } from './entities/emailed-recipient.entity.js';
import { countEmail } from './organizations.queries.js';
import { DAY_MS } from '../../lib/durations.js';

/**
 * Keeps users from flooding a mailbox through the operator's mail server: however often they invite, withdraw and
 * invite again, in however many organizations, the number of emails that one address gets in a day because of them is limited.
 */
@Injectable()
export class EmailAllowanceService {
  constructor(private readonly clock: Clock) {}

  /** Counts an email in the transaction that causes it. 429 `RATE_LIMITED`, until midnight (UTC). */
  async take(manager: EntityManager, senderId: string, address: string): Promise<void> {
    if (await this.takeIfLeft(manager, senderId, address)) return;
    const untilMidnight = Math.ceil((DAY_MS - (this.clock.now().getTime() % DAY_MS)) / 1000);
    throw new DomainError(
      'RATE_LIMITED',
      `You can have at most ${LIMITS.emailsToRecipient} emails a day sent to the same person; see Retry-After.`,
      { headers: { 'Retry-After': String(untilMidnight) } },
    );
  }

  /** The same for an email that is left out, instead of refusing what causes it: returns whether it may be sent. */
  async takeIfLeft(manager: EntityManager, userId: string, address: string): Promise<boolean> {
    const day = this.clock.now().toISOString().slice(0, 10);
    await manager.getRepository(EmailedRecipient).delete({ userId, day: LessThan(day) });
    return (await countEmail(manager, { userId, address, day })) <= LIMITS.emailsToRecipient;
  }
}
