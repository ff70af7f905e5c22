import { afterEach, describe, expect, it } from '@jest/globals';
import { parseSettings } from '../../src/platform/config/settings.js';
import { MailError, Mailer, type MailLimits } from '../../src/platform/mail/mailer.js';
import { SmtpServer, urlOfNobody, type SmtpSetup, type SmtpStage } from '../support/smtp.js';
import { LOCAL_TLS } from '../support/tls.js';

const MAIL = {
  to: 'grace@acme.test',
  subject: 'Grüße aus dem Büro',
  text: 'Hello, Grace\n',
  html: '<p>Hello, Grace</p>',
};
const CREDENTIALS = { user: 'meetings@acme.test', password: 'p@ss:w/rd%' };
const TRUSTING = { authority: LOCAL_TLS.cert };

let smtp: SmtpServer;
afterEach(() => smtp.stop());

async function start(setup: SmtpSetup = {}): Promise<void> {
  smtp = await SmtpServer.start(setup);
}

function mailer(
  options: { limits?: Partial<MailLimits>; authority?: string } = {},
  url = smtp.url(),
): Mailer {
  const { mail } = parseSettings({ SMTP_URL: url, MAIL_FROM: 'Acme Meetings <meetings@acme.test>' });
  return new Mailer(mail, options);
}

/** Why an email was not sent. */
async function failure(sender: Mailer, mail = MAIL): Promise<MailError> {
  const error: unknown = await sender.send(mail).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof MailError) return error;
  throw new Error('The email was sent, or failed otherwise', { cause: error });
}

describe('an email', () => {
  it('arrives as text and HTML, from the sender of the settings', async () => {
    await start();
    await mailer().send(MAIL);
    expect(smtp.mails).toMatchObject([
      {
        to: ['grace@acme.test'],
        headers: {
          from: 'Acme Meetings <meetings@acme.test>',
          to: 'grace@acme.test',
          subject: 'Grüße aus dem Büro',
          'auto-submitted': 'auto-generated',
          'message-id': expect.stringMatching(/^<[^@\s]+@acme\.test>$/),
          date: expect.stringMatching(/^\w{3}, \d{2} \w{3} \d{4} /),
        },
        text: 'Hello, Grace',
        html: '<p>Hello, Grace</p>',
      },
    ]);
  });

  it('cannot get further headers or recipients by its subject or address', async () => {
    await start();
    await mailer().send({ ...MAIL, subject: 'Hi\r\nBcc: eve@evil.test\r\n\r\nNew body' });
    expect(smtp.mails[0]).toMatchObject({ to: ['grace@acme.test'], text: 'Hello, Grace' });
    expect(smtp.mails[0]?.headers).not.toHaveProperty('bcc');
    expect(smtp.mails).toHaveLength(1);
  });

  it.each(['eve,grace@acme.test', 'eve@evil.test>\r\nRCPT TO:<ada'])(
    'is not sent to %j, which may stand for somebody else',
    async (to) => {
      await start();
      expect(await failure(mailer(), { ...MAIL, to })).toMatchObject({
        permanent: true,
        reason: 'Email cannot be delivered to this address.',
      });
      expect(smtp.connections).toBe(0);
    },
  );
});

describe('a mail server that', () => {
  it.each<[SmtpStage, string, boolean, string]>([
    ['recipient', '550 5.1.1 No such user', true, 'rejected the email: 550 5.1.1 No such user'],
    ['recipient', '451 4.7.1 Greylisted', false, 'has not accepted the email yet: 451 4.7.1 Greylisted'],
    [
      'sender',
      '550 5.7.1 Not your domain',
      false,
      'has not accepted the email yet: 550 5.7.1 Not your domain',
    ],
    ['recipient', '530 5.7.0 Log in first', false, 'has not accepted the email yet: 530 5.7.0 Log in first'],
    ['connection', '554 5.7.1 Blocked', false, 'has not accepted the email yet: 554 5.7.1 Blocked'],
  ])('answers at the %s with %s fails for good: %s', async (at, answer, permanent, reason) => {
    await start();
    smtp.behaviour = { at, answer };
    expect(await failure(mailer())).toMatchObject({ permanent, reason: `The mail server ${reason}` });
  });

  it('answers at length, quoting the email, is quoted in a line without links and tokens', async () => {
    await start();
    const token = `inv_${'a1B2'.repeat(10)}`;
    const answer = `550 Spam \u202e\u0007 https://m.test/join/${token} and ${token} ${'so there '.repeat(40)}`;
    smtp.behaviour = { at: 'content', answer };
    const { reason, permanent } = await failure(mailer());
    expect(permanent).toBe(true);
    expect(reason).toMatch(
      /^The mail server rejected the email: 550 Spam \[link\] and \[\.\.\.\] so there [a-z .]+\.\.\.$/,
    );
    expect(reason.length).toBeLessThan(300);
  });

  it('is down is reported without its address, for another attempt', async () => {
    await start();
    const { reason, permanent } = await failure(mailer({}, await urlOfNobody()));
    expect([reason, permanent]).toEqual(['The mail server could not be reached.', false]);
  });

  it.each<[SmtpStage, Partial<MailLimits>]>([
    ['connection', { greeting: 100 }],
    ['content', { idle: 100 }],
    ['content', { total: 200 }],
  ])('hangs at the %s is given up with the limits %j', async (at, limits) => {
    await start();
    smtp.behaviour = { at, answer: null };
    const { reason, permanent } = await failure(mailer({ limits }));
    expect([reason, permanent]).toEqual(['The mail server did not answer in time.', false]);
  });

  it('hangs does not keep a process from stopping', async () => {
    await start();
    smtp.behaviour = { at: 'content', answer: null };
    const stop = new AbortController();
    const sending = mailer().send(MAIL, stop.signal);
    stop.abort(new Error('The process stops'));
    await expect(sending).rejects.toThrow('The process stops');
  });
});

describe('the connection', () => {
  it('is encrypted where the server offers it, to a server with a trusted certificate', async () => {
    await start({ starttls: true });
    await mailer(TRUSTING).send(MAIL);
    expect(smtp.mails).toMatchObject([{ secure: true }]);
  });

  it('is encrypted from the start with smtps', async () => {
    await start({ tls: true });
    await mailer(TRUSTING).send(MAIL);
    expect(smtp.mails).toMatchObject([{ secure: true }]);
  });

  it.each([{ starttls: true }, { tls: true }])(
    'is not made with an unknown certificate: %j',
    async (setup) => {
      await start(setup);
      const { reason, permanent } = await failure(mailer());
      expect(reason).toBe('No secure connection to the mail server could be established.');
      expect(permanent).toBe(false);
      expect(smtp.mails).toEqual([]);
    },
  );

  it('must be encrypted with requireTLS=true', async () => {
    await start();
    const { permanent } = await failure(mailer({}, smtp.url('?requireTLS=true')));
    expect(permanent).toBe(false);
    expect(smtp.mails).toEqual([]);
  });

  it('never carries a password unencrypted, unless the settings say so', async () => {
    await start({ credentials: CREDENTIALS, plainPasswords: true });
    expect(await failure(mailer())).toMatchObject({ permanent: false });
    expect(smtp.logins).toEqual([]);
    await mailer({}, smtp.url('?requireTLS=false')).send(MAIL);
    expect(smtp.logins).toEqual(['meetings@acme.test']);
  });

  it('fails for now with a wrong password, which is not part of the reason', async () => {
    await start({ starttls: true, credentials: CREDENTIALS });
    const url = smtp.url().replace(encodeURIComponent(CREDENTIALS.password), 'hunter2');
    const { reason, permanent } = await failure(mailer(TRUSTING, url));
    expect(reason).toBe("The mail server rejected this service's credentials.");
    expect(permanent).toBe(false);
  });
});
