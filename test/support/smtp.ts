import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { receivedMail, type ReceivedMail } from './received-mail.js';
import { LOCAL_TLS } from './tls.js';

/** When a server that refuses or hangs does so. */
export type SmtpStage = 'connection' | 'sender' | 'recipient' | 'content';

/** What the server does instead of accepting an email. */
export interface SmtpBehaviour {
  readonly at: SmtpStage;
  /** Such as `550 5.1.1 No such user here`; null: it never answers. */
  readonly answer: string | null;
}

export interface SmtpSetup {
  readonly port?: number;
  /** Offers STARTTLS, with a certificate that signs itself. */
  readonly starttls?: boolean;
  /** TLS from the start, with the same certificate. */
  readonly tls?: boolean;
  /** Requires these credentials. */
  readonly credentials?: { readonly user: string; readonly password: string };
  /** Takes passwords without TLS. */
  readonly plainPasswords?: boolean;
}

type Callback = (error?: Error | null) => void;

/** A mail server on 127.0.0.1. */
export class SmtpServer {
  /** Emails that were accepted, in order. */
  readonly mails: ReceivedMail[] = [];
  /** Number of connections so far. */
  connections = 0;
  /** Users whose password was sent. */
  readonly logins: string[] = [];
  /** Null: it accepts every email. */
  behaviour: SmtpBehaviour | null = null;
  private readonly server: SMTPServer;

  private constructor(private readonly setup: SmtpSetup) {
    this.server = new SMTPServer(this.options());
    // A client that breaks the connection is no failure of the test.
    this.server.on('error', () => undefined);
  }

  static async start(setup: SmtpSetup = {}): Promise<SmtpServer> {
    const smtp = new SmtpServer(setup);
    const listening = smtp.server.listen(setup.port ?? 0, '127.0.0.1');
    await once(listening, 'listening');
    return smtp;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  /** `SMTP_URL`. */
  url(query = ''): string {
    const { credentials, tls } = this.setup;
    const login = credentials
      ? `${encodeURIComponent(credentials.user)}:${encodeURIComponent(credentials.password)}@`
      : '';
    return `${tls ? 'smtps' : 'smtp'}://${login}127.0.0.1:${this.port}${query}`;
  }

  /** The settings of a service that sends its emails here. */
  settings(): Record<string, string> {
    return { SMTP_URL: this.url(), MAIL_FROM: 'Acme Meetings <meetings@acme.test>' };
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private options(): SMTPServerOptions {
    const { starttls = false, tls = false, credentials, plainPasswords = false } = this.setup;
    const disabledCommands = [...(starttls ? [] : ['STARTTLS']), ...(credentials ? [] : ['AUTH'])];
    return {
      ...LOCAL_TLS,
      secure: tls,
      disabledCommands,
      authOptional: !credentials,
      allowInsecureAuth: plainPasswords,
      disableReverseLookup: true,
      closeTimeout: 10,
      logger: false,
      onConnect: (_, callback) => {
        this.connections += 1;
        this.act('connection', callback);
      },
      onAuth: ({ username = '', password }, _, callback) => {
        this.logins.push(username);
        const isRight = username === credentials?.user && password === credentials?.password;
        callback(
          isRight ? null : refusal('535 5.7.8 Wrong password'),
          isRight ? { user: username } : undefined,
        );
      },
      onMailFrom: (_, _session, callback) => this.act('sender', callback),
      onRcptTo: (_, _session, callback) => this.act('recipient', callback),
      onData: (stream, { envelope, secure }, callback) => {
        const to = envelope.rcptTo.map(({ address }) => address);
        const take = (source: string): void =>
          this.act('content', callback, () => this.mails.push({ ...receivedMail(source), to, secure }));
        readText(stream).then(take, callback);
      },
    };
  }

  private act(stage: SmtpStage, callback: Callback, otherwise?: () => unknown): void {
    const behaviour = this.behaviour?.at === stage ? this.behaviour : null;
    if (behaviour?.answer === null) return;
    if (!behaviour) otherwise?.();
    callback(behaviour ? refusal(behaviour.answer) : null);
  }
}

function refusal(answer: string): Error {
  const error = new Error(answer.slice('550 '.length));
  return Object.assign(error, { responseCode: Number(answer.slice(0, 3)) });
}

/** The URL of a port on which nothing listens. */
export async function urlOfNobody(): Promise<string> {
  const server = await SmtpServer.start();
  const url = server.url();
  await server.stop();
  return url;
}
