import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { cardPageFilter } from '../../platform/http/pages/card-pages.js';
import { AcceptsAnyQuery, AcceptsStream, Public } from '../../platform/http/requests/endpoint-inputs.js';
import { AccountPageService } from './account-page.service.js';
import { ACCOUNT_NOTICES } from './account.notices.js';

/** The page on which people look after their account, in a session. Not in the API document. */
@ApiExcludeController()
@Controller('account')
@UseFilters(cardPageFilter(ACCOUNT_NOTICES))
export class AccountPageController {
  constructor(private readonly pages: AccountPageService) {}

  @Get()
  @Public()
  @AcceptsAnyQuery()
  open(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response);
  }

  @Post()
  @Public()
  @AcceptsStream({ query: true, costly: true })
  submit(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.pages.submit(request, response);
  }
}
