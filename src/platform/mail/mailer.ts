import { createTransport, type Transporter } from 'nodemailer';
import type { Mailbox } from '../config/mail-settings.js';
import type { MailSettings } from '../config/settings.js';
import { isPlainAddress } from '../text.js';
import { fromNodemailer, undeliverable } from './mail-error.js';
import type { RenderedMail } from './mail-templates.js';

export interface Mail extends RenderedMail {
  /** An email address, without a name. */
  readonly to: string;
}

/** Milliseconds. */
export interface MailLimits {
  /** To connect, including name resolution and TLS. */
  readonly connect: number;
  /** Until the server greets. */
  readonly greeting: number;
  /** Without an answer. */
  readonly idle: number;
  /** For the whole email, for a server that answers a character at a time. */
  readonly total: number;
}

const LIMITS: MailLimits = { connect: 10_000, greeting: 10_000, idle: 30_000, total: 60_000 };
const LONGEST_ADDRESS = 254;
/** Bytes of a single answer. */
const LONGEST_ANSWER = 64 * 1024;

/** Sends emails through the server of `SMTP_URL`, each over a connection of its own. */
export class Mailer {
  private readonly transport: Transporter | null;
  private readonly from: Mailbox | undefined;
  private readonly limits: MailLimits;

  /** `authority`: certificate of an authority to trust in place of the usual ones, in PEM. */
  constructor(
    settings: MailSettings | null,
    { limits = {}, authority }: { limits?: Partial<MailLimits>; authority?: string } = {},
  ) {
    this.limits = { ...LIMITS, ...limits };
    this.from = settings?.from;
    this.transport = settings && openTransport(settings, this.limits, authority);
  }

  /** Whether a mail server is configured. */
  get enabled(): boolean {
    return this.transport !== null;
  }

  /**
   * Resolves once the server has accepted the email. Throws a `MailError`, or the reason of `stop`. An email that was accepted may
   * still be reported as failed, if the connection breaks before the answer.
   */
  async send({ to, subject, text, html }: Mail, stop?: AbortSignal): Promise<void> {
    const { transport, from } = this;
    if (!transport || !from) throw new Error('No mail server is configured');
    if (!isPlainAddress(to, LONGEST_ADDRESS)) throw undeliverable();
    const time = AbortSignal.timeout(this.limits.total);
    const signal = stop ? AbortSignal.any([stop, time]) : time;
    try {
      await transport.sendMail({
        from: { ...from },
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal,
      });
    } catch (error) {
      stop?.throwIfAborted();
      throw fromNodemailer(error, time.aborted);
    }
  }
}

function openTransport({ server }: MailSettings, limits: MailLimits, authority?: string): Transporter {
  const { host, port, secure, requireTls, credentials } = server;
  return createTransport({
    host,
    port,
    secure,
    requireTLS: requireTls,
    auth: credentials ? { user: credentials.user, pass: credentials.password } : undefined,
    // A server that hides its offer of authentication would otherwise be sent the email without.
    forceAuth: credentials !== null,
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true, ca: authority },
    dnsTimeout: limits.connect,
    connectionTimeout: limits.connect,
    greetingTimeout: limits.greeting,
    socketTimeout: limits.idle,
    socketCloseTimeout: 1_000,
    maxResponseSize: LONGEST_ANSWER,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
}
