import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { cardPageFilter } from '../../../platform/http/pages/card-pages.js';
import { AcceptsAnyQuery, AcceptsStream, Public } from '../../../platform/http/requests/endpoint-inputs.js';
import { QueuedBy } from '../../../platform/http/requests/request-queue.js';
import { JoinPageService } from './join-page.service.js';
import { NOTICES } from './join.wording.js';

/** The page that invited people open in a browser. Not in the API document. */
@ApiExcludeController()
@Controller('join')
@Public()
@QueuedBy('token', 'anyone')
@UseFilters(cardPageFilter(NOTICES))
export class JoinPageController {
  constructor(private readonly pages: JoinPageService) {}

  @Get(':token')
  // Email clients add query parameters of their own to links.
  @AcceptsAnyQuery()
  open(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.pages.open(token, request, response);
  }

  @Post(':token')
  @AcceptsStream({ query: true, costly: true })
  join(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.pages.join(token, request, response);
  }
}
