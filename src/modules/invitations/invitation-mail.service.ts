import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { PublicUrl } from '../../platform/http/public-url.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { MailError } from '../../platform/mail/mail-error.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { Sealer } from '../../platform/sealing/sealer.js';
import { hashSecret } from '../../platform/secrets.js';
import { EmailAllowanceService } from '../organization-management/email-allowance.service.js';
import { Invitation } from './entities/invitation.entity.js';

const JOB = 'invitations.mail';
/** About a day and a half, with growing intervals. */
const MAX_ATTEMPTS = 14;
const GIVEN_UP = 'The email could not be sent after more than a day of attempts. Send the invitation again.';
const NO_KEY =
  'The email could not be composed because an encryption key was replaced. Send the invitation again.';

/** The token is in the database only until its email has been sent, and sealed. */
interface MailJob {
  readonly invitationId: string;
  /** Base64. */
  readonly sealed: string;
  readonly keyId: string;
}

const NAMES = `
  SELECT o.name AS organization, u.name AS inviter FROM organizations o, users u WHERE o.id = $1 AND u.id = $2`;

const keyOf = (invitationId: string): string => `invitation:${invitationId}`;
const invitationOf = (key: string): string => key.slice('invitation:'.length);

/** Emails invitations, in jobs that are tried again. */
@Injectable()
export class InvitationMailService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly mailer: Mailer,
    private readonly allowance: EmailAllowanceService,
    private readonly sealer: Sealer,
    private readonly publicUrl: PublicUrl,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<MailJob>(JOB, (job, stop) => this.run(job, stop), {
      lane: 'mail',
      onExhausted: (key) => this.note(invitationOf(key), { mailStatus: 'failed', mailError: GIVEN_UP }),
    });
  }

  /** Whether a mail server is configured. */
  get enabled(): boolean {
    return this.mailer.enabled;
  }

  /**
   * In the transaction that issues the token; replaces an email that has not been sent yet. 429 `RATE_LIMITED` if the person
   * has been sent too many.
   */
  async enqueue(manager: EntityManager, invitation: Invitation, token: string): Promise<void> {
    const { id: invitationId, invitedBy, email } = invitation;
    await this.allowance.take(manager, invitedBy, email);
    const { sealed, keyId } = this.sealer.seal(token, keyOf(invitationId));
    const job: MailJob = { invitationId, sealed: sealed.toString('base64'), keyId };
    await this.jobs.enqueue(manager, JOB, [job], { key: keyOf(invitationId), maxAttempts: MAX_ATTEMPTS });
  }

  private async run({ invitationId: id, sealed, keyId }: MailJob, stop: AbortSignal): Promise<void> {
    const token = this.unsealed(id, { sealed: Buffer.from(sealed, 'base64'), keyId });
    if (token === null) return this.note(id, { mailStatus: 'failed', mailError: NO_KEY });
    const invitation = await this.dataSource.manager.findOneBy(Invitation, { id });
    // Accepted, withdrawn or sent again meanwhile.
    if (!invitation?.tokenHash.equals(hashSecret(token))) return;
    try {
      await this.send(invitation, token, stop);
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      await this.note(id, {
        mailStatus: error.permanent ? 'failed' : 'queued',
        mailError: error.reason,
      });
      if (!error.permanent) throw error;
      return;
    }
    await this.note(id, { mailStatus: 'sent', mailError: null });
  }

  private async send(invitation: Invitation, token: string, stop: AbortSignal): Promise<void> {
    const { email, organizationId, invitedBy, language, role, expiresAt } = invitation;
    const [names]: { organization: string; inviter: string }[] = await this.dataSource.query(NAMES, [
      organizationId,
      invitedBy,
    ]);
    if (!names) return;
    const url = new URL(this.publicUrl.of(`/join/${token}`));
    const mail = this.mailer.render('invitation', language, { ...names, role, url, expiresAt });
    await this.mailer.send({ to: email, ...mail }, stop);
  }

  /** Null if its key has been given up or is missing: then only sending the invitation again helps. */
  private unsealed(id: string, sealed: { readonly sealed: Buffer; readonly keyId: string }): string | null {
    return this.sealer.keyIds.includes(sealed.keyId) ? this.sealer.unseal(sealed, keyOf(id)) : null;
  }

  private async note(id: string, changes: Pick<Invitation, 'mailStatus' | 'mailError'>): Promise<void> {
    await this.dataSource.manager.update(Invitation, { id }, changes);
  }
}
