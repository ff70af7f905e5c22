import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { AppLogger } from '../../logging/app-logger.js';
import { ErrorFilter } from '../replies/error.filter.js';
import type { PageData } from './html-page.js';

/** A page with only a message. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

const COMMON: Readonly<Record<number, Notice>> = {
  429: { title: 'Too many requests', text: 'Please wait a minute, and then try again.' },
  500: { title: 'Something went wrong', text: 'The problem is on our end. Please try again later.' },
  503: { title: 'Temporarily unavailable', text: 'Please try again in a minute.' },
};

/** Renders the pages of a module, of which one shows only a message. */
interface PageRenderer {
  send(response: Response, status: number, name: 'notice', view: PageData): void;
}

/** Renders errors of pages for people, by status; `otherwise`: for any other. They are logged like all others. */
export abstract class PageFilter implements ExceptionFilter {
  private readonly errors: ErrorFilter;

  protected constructor(
    private readonly pages: PageRenderer,
    logger: AppLogger,
    private readonly notices: Readonly<Record<number, Notice>>,
    private readonly otherwise: string,
  ) {
    this.errors = new ErrorFilter(logger);
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const other = { title: 'Invalid request', text: this.otherwise };
    this.errors.reply(thrown, host, ({ status }, response) => {
      const notice = this.notices[status] ?? COMMON[status] ?? other;
      this.pages.send(response, status, 'notice', { ...notice });
    });
  }
}
