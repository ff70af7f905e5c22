import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import type { MailError } from '../../../platform/mail/mailer.js';
import { MailJobs, type ComposedMail } from '../../../platform/mail/mail-jobs.service.js';
import { Sealer } from '../../../platform/sealing/sealer.js';
import { hashSecret } from '../../../platform/secrets/secrets.js';
import { EmailAllowanceService } from '../email-allowance.service.js';
import { Invitation, type MailStatus } from './entities/invitation.entity.js';

const JOB = 'invitations.mail';
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

const keyOf = (invitationId: string): string => `invitation:${invitationId}`;
const invitationOf = (key: string): string => key.slice('invitation:'.length);

/** Emails invitations. */
@Injectable()
export class InvitationMailService implements OnModuleInit {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly mail: MailJobs,
    private readonly allowance: EmailAllowanceService,
    private readonly sealer: Sealer,
    private readonly publicUrl: PublicUrl,
  ) {}

  onModuleInit(): void {
    this.mail.handle<MailJob>(JOB, (job) => this.compose(job), {
      onAttempt: ({ invitationId }, error) => this.note(invitationId, statusAfter(error), error?.reason),
      onExhausted: (key) => this.note(invitationOf(key), 'failed', GIVEN_UP),
    });
  }

  /** Whether a mail server is configured. */
  get enabled(): boolean {
    return this.mail.enabled;
  }

  /**
   * Enqueues the email in the transaction that issues the token; replaces one that has not been sent yet. 429
   * `RATE_LIMITED` if the person has been sent too many.
   */
  async enqueue(manager: EntityManager, invitation: Invitation, token: string): Promise<void> {
    const { id: invitationId, invitedBy, email } = invitation;
    await this.allowance.take(manager, invitedBy, email);
    const { sealed, keyId } = this.sealer.seal(token, keyOf(invitationId));
    const job: MailJob = { invitationId, sealed: sealed.toString('base64'), keyId };
    await this.mail.enqueue(manager, JOB, [job], keyOf(invitationId));
  }

  private async compose({ invitationId: id, sealed, keyId }: MailJob): Promise<ComposedMail | null> {
    // Without its key, only sending the invitation again helps.
    const token = this.sealer.keyIds.includes(keyId)
      ? this.sealer.unseal({ sealed: Buffer.from(sealed, 'base64'), keyId }, keyOf(id))
      : null;
    if (token === null) {
      await this.note(id, 'failed', NO_KEY);
      return null;
    }
    const relations = { organization: true, sender: { user: true } };
    const [invitation] = await this.invitations.find({ where: { id }, relations });
    // Accepted, withdrawn or sent again meanwhile.
    if (!invitation?.tokenHash.equals(hashSecret(token))) return null;
    const { email, organization, sender, language, role, expiresAt } = invitation;
    const names = { organization: organization!.name, inviter: sender!.user!.name };
    const url = new URL(this.publicUrl.resolve(`/join/${token}`));
    return { to: email, template: 'invitation', language, view: { ...names, role, url, expiresAt } };
  }

  private async note(id: string, mailStatus: MailStatus, mailError: string | null = null): Promise<void> {
    await this.invitations.update({ id }, { mailStatus, mailError });
  }
}

function statusAfter(error: MailError | null): MailStatus {
  if (!error) return 'sent';
  return error.permanent ? 'failed' : 'queued';
}
