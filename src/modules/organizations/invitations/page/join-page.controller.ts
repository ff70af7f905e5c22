import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  AcceptsAnyQuery,
  AcceptsStream,
  Public,
} from '../../../../platform/http/requests/endpoint-inputs.js';
import { QueuedBy } from '../../../../platform/http/requests/request-queue.js';
import { JoinPageFilter } from './join-page.filter.js';
import { JoinPageService } from './join-page.service.js';

/** The page that invited people open in a browser. Not in the API document. */
@ApiExcludeController()
@Controller('join')
@QueuedBy('token')
@UseFilters(JoinPageFilter)
export class JoinPageController {
  constructor(private readonly pages: JoinPageService) {}

  @Get(':token')
  @Public()
  // Email clients add query parameters of their own to links.
  @AcceptsAnyQuery()
  async open(@Param('token') token: string, @Res() response: Response): Promise<void> {
    await this.pages.open(token, response);
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
