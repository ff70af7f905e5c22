import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { MailLanguage } from '../config/mail-settings.js';
import { SETTINGS, type Settings } from '../config/settings.js';
import type { JobOptions } from '../jobs/enqueue.queries.js';
import { JobsService, type TaskOptions } from '../jobs/jobs.service.js';
import { AppLogger } from '../logging/app-logger.js';
import { MailTemplates, type MailViews } from './mail-templates.js';
import { MailError, Mailer } from './mailer.js';

/** An email before it is rendered. `language`: default that of the settings. */
export type ComposedMail = {
  [Name in keyof MailViews]: { to: string; template: Name; view: MailViews[Name]; language?: MailLanguage };
}[keyof MailViews];

interface MailTaskOptions<Job> extends Pick<TaskOptions, 'onExhausted'> {
  /** Called after each attempt; `error`: null if the email was sent. Default: a warning if it cannot be delivered. */
  readonly onAttempt?: (job: Job, error: MailError | null) => Promise<void>;
}

/** About a day and a half, with growing intervals. */
const MAX_ATTEMPTS = 14;

/** Sends emails in jobs, which are retried until the mail server accepts or rejects the email. */
@Injectable()
export class MailJobs {
  private readonly templates = new MailTemplates();

  constructor(
    private readonly jobs: JobsService,
    private readonly mailer: Mailer,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'mailLanguage'>,
  ) {}

  /** Whether a mail server is configured. */
  get enabled(): boolean {
    return this.mailer.enabled;
  }

  /** Registers a task; called by a module on startup. `compose`: null if the email is no longer due. */
  handle<Job extends object>(
    task: string,
    compose: (job: Job) => Promise<ComposedMail | null>,
    { onAttempt, onExhausted }: MailTaskOptions<Job> = {},
  ): void {
    const run = async (job: Job, stop: AbortSignal): Promise<void> => {
      const mail = await compose(job);
      if (!mail) return;
      const error = await this.send(mail, stop);
      await onAttempt?.(job, error);
      if (error && !error.permanent) throw error;
      if (error && !onAttempt) this.logger.warn({ task, ...job, err: error }, 'an email cannot be delivered');
    };
    this.jobs.handle(task, run, { lane: 'mail', onExhausted });
  }

  /** Writes one job per payload in the transaction of `manager`. `key`, `runAt`: see `JobOptions`. */
  async enqueue<Job>(
    manager: EntityManager,
    task: string,
    payloads: readonly Job[],
    key?: JobOptions<Job>['key'],
    runAt?: Date,
  ): Promise<void> {
    await this.jobs.enqueue(manager, task, payloads, { key, runAt, maxAttempts: MAX_ATTEMPTS });
  }

  /** Returns why the email was not sent. */
  private async send(mail: ComposedMail, stop: AbortSignal): Promise<MailError | null> {
    const { to, template, view, language = this.settings.mailLanguage } = mail;
    try {
      await this.mailer.send({ to, ...this.templates.render(template, language, view) }, stop);
      return null;
    } catch (error) {
      if (error instanceof MailError) return error;
      throw error;
    }
  }
}
