import type { NodemailerError, Transporter } from 'nodemailer';
import type { MailSettings } from '../config/settings.js';
import { isTlsCode } from '../outbound/outbound-error.js';
import { Deadline } from '../../lib/deadline.js';
import { isPlainAddress } from '../../lib/text.js';
import type { RenderedMail } from './mail-templates.js';

export interface Mail extends RenderedMail {
  /** An email address, without a name. */
  readonly to: string;
}

/** Milliseconds. */
export interface MailLimits {
  /** Connecting, including name resolution and TLS. */
  readonly connect: number;
  /** Until the server greets. */
  readonly greeting: number;
  /** Waiting for an answer. */
  readonly idle: number;
  /** The whole email, against a server that answers a character at a time. */
  readonly total: number;
}

const LIMITS: MailLimits = { connect: 10_000, greeting: 10_000, idle: 30_000, total: 60_000 };
const MAX_ADDRESS = 254;
/** Bytes of a single answer. */
const MAX_ANSWER = 64 * 1024;

/** Characters of an answer that a reason quotes. */
const QUOTED = 200;
/** Characters of a word; a longer one may be a token that is quoted from the email. */
const MAX_WORD = 24;
const LONG_WORDS = new RegExp(String.raw`[\w-]{${MAX_WORD + 1},}`, 'g');

/** Commands whose refusal is about the recipient or the email; what is refused before them, the operator has to fix. */
const ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA']);
/** Authentication or encryption required, mechanism too weak, credentials invalid, commands out of order. */
const ABOUT_THE_SESSION = new Set([503, 530, 534, 535, 538]);

/** Why an email was not accepted by the mail server. The reason may be shown to users. */
export class MailError extends Error {
  /** One line of at most 300 characters, without addresses of servers or secrets. */
  readonly reason: string;
  /** Whether another attempt would fail as well. */
  readonly permanent: boolean;

  constructor(reason: string, { permanent, cause }: { permanent: boolean; cause?: unknown }) {
    // Not the reason, which may quote the recipient: messages of errors are kept with failed jobs.
    super('The email was not sent', { cause });
    this.name = 'MailError';
    this.reason = reason;
    this.permanent = permanent;
  }
}

/** Sends emails through the server of `SMTP_URL`, each over a connection of its own. */
export class Mailer {
  private readonly limits: MailLimits;
  private readonly authority: string | undefined;

  /** `authority`: certificate of an authority to trust in place of the usual ones, in PEM. */
  constructor(
    private readonly settings: MailSettings | null,
    { limits = {}, authority }: { limits?: Partial<MailLimits>; authority?: string } = {},
  ) {
    this.limits = { ...LIMITS, ...limits };
    this.authority = authority;
  }

  /** Whether a mail server is configured. */
  get enabled(): boolean {
    return this.settings !== null;
  }

  /** Resolves once the server has accepted the email. Throws a `MailError`, or the reason of `stop`. */
  async send({ to, subject, text, html }: Mail, stop?: AbortSignal): Promise<void> {
    const { settings } = this;
    if (!settings) throw new Error('No mail server is configured');
    if (!isPlainAddress(to, MAX_ADDRESS)) throw undeliverable();
    const transport = await openTransport(settings, this.limits, this.authority);
    using time = new Deadline(this.limits.total, stop);
    try {
      await transport.sendMail({
        from: { ...settings.from },
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: time.signal,
      });
    } catch (error) {
      stop?.throwIfAborted();
      throw fromNodemailer(error, time.isOver);
    }
  }
}

async function openTransport(
  { server }: MailSettings,
  limits: MailLimits,
  authority?: string,
): Promise<Transporter> {
  // Most processes send none.
  const { createTransport } = await import('nodemailer');
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
    maxResponseSize: MAX_ANSWER,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
}

const undeliverable = (cause?: unknown): MailError =>
  new MailError('Email cannot be delivered to this address.', { permanent: true, cause });

/** `tooLong`: whether the time for the whole email was up. */
function fromNodemailer(error: unknown, tooLong: boolean): MailError {
  const { code = '', originalCode = '', command = '', responseCode, response } = error as NodemailerError;
  const temporary = (reason: string): MailError => new MailError(reason, { permanent: false, cause: error });
  if (tooLong || code === 'ETIMEDOUT') return temporary('The mail server did not answer in time.');
  if (code === 'ETLS' || isTlsCode(originalCode))
    return temporary('No secure connection to the mail server could be established.');
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return temporary("The mail server rejected this service's credentials.");
  if (responseCode === undefined || !response) {
    if (code === 'EENVELOPE') return undeliverable(error);
    return temporary('The mail server could not be reached.');
  }
  const isAboutMail = ABOUT_THE_MAIL.has(command) && !ABOUT_THE_SESSION.has(responseCode);
  if (responseCode < 500 || !isAboutMail)
    return temporary(`The mail server has not accepted the email yet: ${answer(response)}`);
  const reason = `The mail server rejected the email: ${answer(response)}`;
  return new MailError(reason, { permanent: true, cause: error });
}

/** Puts an answer on one line, bounded, and without links and tokens that the server may have quoted from the email. */
function answer(response: string): string {
  const line = response
    .slice(0, 2_000)
    .toWellFormed()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/\S*:\/\/\S*/g, '[link]')
    .replace(LONG_WORDS, '[...]')
    .trim();
  const characters = [...line];
  return characters.length > QUOTED ? `${characters.slice(0, QUOTED).join('')}...` : line;
}
