import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AcceptsAnyQuery, AcceptsStream, Public } from '../../../platform/http/requests/endpoint-inputs.js';
import { QueuedBy } from '../../../platform/http/requests/request-queue.js';
import { SignInPageFilter } from '../page/sign-in-page.filter.js';
import { SignInPageService } from '../page/sign-in-page.service.js';

/** The page that a link to sign in with opens. Not in the API document. */
@ApiExcludeController()
@Controller('sign-in/link')
@QueuedBy('token', 'anyone')
@UseFilters(SignInPageFilter)
export class LinkPageController {
  constructor(private readonly pages: SignInPageService) {}

  /** Changes nothing: programs that check mail for viruses follow links. */
  @Get(':token')
  @Public()
  // Email clients add query parameters of their own to links.
  @AcceptsAnyQuery()
  async show(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.pages.showLink(token, request, response);
  }

  @Post(':token')
  @Public()
  @AcceptsStream({ query: true, costly: true })
  async open(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.pages.openLink(token, request, response);
  }
}
