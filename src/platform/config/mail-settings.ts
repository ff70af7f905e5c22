/** The settings of the mail server and of the emails it is given. */
import { z } from '../../lib/zod.js';
import { isPlainAddress } from '../../lib/text.js';

const MAIL_LANGUAGES = ['en', 'de'] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the start, `smtps:`. Otherwise STARTTLS is used where the server offers it. */
  readonly secure: boolean;
  /** Nothing is sent without TLS. */
  readonly requireTls: boolean;
  readonly credentials: { readonly user: string; readonly password: string } | null;
}

export interface Mailbox {
  /** Empty if there is only an address. */
  readonly name: string;
  readonly address: string;
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };
const LONGEST_ADDRESS = 254;
const LONGEST_NAME = 100;

/** Never quotes the value: it may contain a password. */
export const smtpUrl = () =>
  z
    .string()
    .transform(parseSmtpUrl)
    .refine((server) => server !== null, {
      error:
        'must be smtp://host, smtps://host or smtp://user:password@host:port, with user and password percent-encoded; the only option is ?requireTLS=true or false',
    });

export const mailbox = () =>
  z
    .string()
    .trim()
    .transform(parseMailbox)
    .refine((box) => box !== null, {
      error: 'must be a mailbox such as Acme Meetings <meetings@example.com>',
    });

export const mailLanguage = () => z.enum(MAIL_LANGUAGES, { error: `must be ${MAIL_LANGUAGES.join(' or ')}` });

function parseSmtpUrl(text: string): SmtpServer | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password, pathname, searchParams, hash } = new URL(text);
  const usual = PORTS[protocol];
  const options = [...searchParams.keys()];
  if (!usual || !hostname || !['', '/'].includes(pathname) || hash) return null;
  if (options.some((name) => name !== 'requireTLS') || options.length > 1) return null;
  const requireTls = searchParams.get('requireTLS');
  if (requireTls !== null && requireTls !== 'true' && requireTls !== 'false') return null;
  const [user, secret] = [decoded(username), decoded(password)];
  if (user === null || secret === null || (user === '') !== (secret === '')) return null;
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port ? Number(port) : usual,
    secure: protocol === 'smtps:',
    // A man in the middle could otherwise hide the offer of STARTTLS, and read the password.
    requireTls: requireTls === null ? user !== '' : requireTls === 'true',
    credentials: user === '' ? null : { user, password: secret },
  };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function parseMailbox(text: string): Mailbox | null {
  const [, name = '', address = ''] = /^(?:(.*?)\s*<([^<>]*)>)$/su.exec(text) ?? ['', '', text];
  const plain = name.replace(/^"(.*)"$/su, '$1').replaceAll(/\\(["\\])/gu, '$1');
  if (/[\p{Cc}<>]/u.test(plain) || plain.length > LONGEST_NAME) return null;
  if (!isPlainAddress(address, LONGEST_ADDRESS)) return null;
  return { name: plain, address };
}
