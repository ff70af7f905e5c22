import { Catch, Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Response, Request } from 'express';
import { PageFilter } from '../../../platform/http/pages/html-page.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { ApiExcludeController } from '@nestjs/swagger';
import { AcceptsAnyQuery, AcceptsStream, Public } from '../../../platform/http/requests/endpoint-inputs.js';
import { QueuedBy } from '../../../platform/http/requests/request-queue.js';
import { CardPages } from '../../../platform/http/pages/card-pages.js';
import { JoinPageService } from './join-page.service.js';
import { NOTICES } from './join.wording.js';

@Catch()
export class JoinPageFilter extends PageFilter {
  constructor(pages: CardPages, logger: AppLogger) {
    super((response, status, notice) => pages.send(response, status, 'join/notice', notice), logger, NOTICES);
  }
}

/** The page that invited people open in a browser. Not in the API document. */
@ApiExcludeController()
@Controller('join')
@QueuedBy('token', 'anyone')
@UseFilters(JoinPageFilter)
export class JoinPageController {
  constructor(private readonly pages: JoinPageService) {}

  @Get(':token')
  @Public()
  // Email clients add query parameters of their own to links.
  @AcceptsAnyQuery()
  async open(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.pages.open(token, request, response);
  }

  @Post(':token')
  @Public()
  @AcceptsStream({ query: true, costly: true })
  async join(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.pages.join(token, request, response);
  }
}
