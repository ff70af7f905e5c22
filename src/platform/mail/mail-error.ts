import type { NodemailerError } from 'nodemailer';
import { isTlsCode } from '../outbound/outbound-error.js';

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

const LONGEST_ANSWER = 200;
/** As long as a token may be quoted from the email; the words of an answer are shorter. */
const LONGEST_WORD = 24;
const LONG_WORDS = new RegExp(String.raw`[\w-]{${LONGEST_WORD + 1},}`, 'g');

/** Commands whose refusal is about the recipient or the email. What is refused before them is for the operator to fix. */
const ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA']);
/** Authentication or encryption required, mechanism too weak, credentials invalid, commands out of order. */
const ABOUT_THE_SESSION = new Set([503, 530, 534, 535, 538]);

export const undeliverable = (cause?: unknown): MailError =>
  new MailError('Email cannot be delivered to this address.', { permanent: true, cause });

/** `tooLong`: whether the time for the whole email was up. */
export function fromNodemailer(error: unknown, tooLong: boolean): MailError {
  const { code = '', originalCode = '', command = '', responseCode, response } = error as NodemailerError;
  const temporary = (reason: string): MailError => new MailError(reason, { permanent: false, cause: error });
  if (tooLong || code === 'ETIMEDOUT') return temporary('The mail server did not answer in time.');
  if (code === 'ETLS' || isTlsCode(originalCode)) {
    return temporary('No secure connection to the mail server could be established.');
  }
  if (code === 'EAUTH' || code === 'ENOAUTH') {
    return temporary("The mail server rejected this service's credentials.");
  }
  if (responseCode === undefined || !response) {
    if (code === 'EENVELOPE') return undeliverable(error);
    return temporary('The mail server could not be reached.');
  }
  const isAboutMail = ABOUT_THE_MAIL.has(command) && !ABOUT_THE_SESSION.has(responseCode);
  if (responseCode < 500 || !isAboutMail) {
    return temporary(`The mail server has not accepted the email yet: ${answer(response)}`);
  }
  const reason = `The mail server rejected the email: ${answer(response)}`;
  return new MailError(reason, { permanent: true, cause: error });
}

/** On one line, bounded, and without links and tokens that the server may have quoted from the email. */
function answer(response: string): string {
  const line = response
    .slice(0, 2_000)
    .toWellFormed()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/\S*:\/\/\S*/g, '[link]')
    .replace(LONG_WORDS, '[...]')
    .trim();
  const characters = [...line];
  return characters.length > LONGEST_ANSWER ? `${characters.slice(0, LONGEST_ANSWER).join('')}...` : line;
}
