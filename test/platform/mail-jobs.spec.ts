import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseSettings } from '../../src/platform/config/settings.js';
import type { JobHandler, JobsService } from '../../src/platform/jobs/jobs.service.js';
import { AppLogger } from '../../src/platform/logging/app-logger.js';
import { MailJobs, type ComposedMail } from '../../src/platform/mail/mail-jobs.service.js';
import { Mailer } from '../../src/platform/mail/mailer.js';
import { SmtpServer } from '../support/smtp.js';

const MAIL: ComposedMail = {
  to: 'grace@acme.test',
  template: 'webhook-gone',
  view: { receiver: 'hooks.example.com', url: new URL('https://m.example.com/api/v1/webhooks/1') },
};

describe('the job of an email', () => {
  let smtp: SmtpServer;
  let lines: string[];
  beforeEach(async () => {
    smtp = await SmtpServer.start();
    lines = [];
  });
  afterEach(() => smtp.stop());

  /** Runs an attempt as a worker does. */
  async function attempt(mail: ComposedMail | null): Promise<void> {
    const settings = parseSettings({ SMTP_URL: smtp.url(), MAIL_FROM: 'm@acme.test', MAIL_LANGUAGE: 'de' });
    const logger = new AppLogger('info', { write: (line) => void lines.push(line) });
    let run: JobHandler<{ webhookId: string }> | undefined;
    const jobs = { handle: (_: string, handler: typeof run) => (run = handler) } as unknown as JobsService;
    const mailJobs = new MailJobs(jobs, new Mailer(settings.mail), logger, settings);
    mailJobs.handle<{ webhookId: string }>('webhooks.mail', async () => mail);
    await run!({ webhookId: 'w1' }, new AbortController().signal, {} as never);
  }

  it('sends it, in the language of the settings unless it has its own', async () => {
    await attempt(MAIL);
    await attempt({ ...MAIL, language: 'en' });
    expect(smtp.mails.map(({ headers }) => headers['subject'])).toEqual([
      'Ein Webhook wurde deaktiviert',
      'A webhook has been disabled',
    ]);
  });

  it('sends nothing that is no longer due', async () => {
    await attempt(null);
    expect(smtp.mails).toEqual([]);
  });

  it('fails, to be retried, if the mail server does not accept it yet', async () => {
    smtp.behaviour = { at: 'recipient', answer: '450 4.2.1 Try again' };
    await expect(attempt(MAIL)).rejects.toMatchObject({ name: 'MailError', permanent: false });
    expect(lines).toEqual([]);
  });

  it('ends with a warning, without the address, if the mail server rejects it', async () => {
    smtp.behaviour = { at: 'recipient', answer: '550 5.1.1 No such user' };
    await attempt(MAIL);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, task: 'webhooks.mail', webhookId: 'w1' });
    expect(lines[0]).not.toContain(MAIL.to);
  });
});
