import { Catch, Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CardPages } from '../../platform/http/pages/card-pages.js';
import { PageFilter } from '../../platform/http/pages/html-page.js';
import { AcceptsAnyQuery, AcceptsStream, Public } from '../../platform/http/requests/endpoint-inputs.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { AccountPageService } from './account-page.service.js';
import { ACCOUNT_NOTICES } from './account.wording.js';

@Catch()
export class AccountPageFilter extends PageFilter {
  constructor(pages: CardPages, logger: AppLogger) {
    super(
      (response, status, notice) => pages.send(response, status, 'join/notice', notice),
      logger,
      ACCOUNT_NOTICES,
    );
  }
}

/** The page on which people look after their account, in a session. Not in the API document. */
@ApiExcludeController()
@Controller('account')
@UseFilters(AccountPageFilter)
export class AccountPageController {
  constructor(private readonly pages: AccountPageService) {}

  @Get()
  @Public()
  @AcceptsAnyQuery()
  async open(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.pages.open(request, response);
  }

  @Post()
  @Public()
  @AcceptsStream({ query: true, costly: true })
  async submit(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.pages.submit(request, response);
  }
}
