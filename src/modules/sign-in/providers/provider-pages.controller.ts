import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AcceptsAnyQuery, AcceptsStream, Public } from '../../../platform/http/requests/endpoint-inputs.js';
import { ProviderLogoutService } from './provider-logout.service.js';
import { ProviderPagesFilter } from './provider-pages.filter.js';
import { ProviderPagesService } from './provider-pages.service.js';
import { ProviderSignInService } from './provider-sign-in.service.js';

/** Where people leave for an identity provider and come back. Not in the API document. */
@ApiExcludeController()
@Controller('sign-in/with/:provider')
@UseFilters(ProviderPagesFilter)
export class ProviderPagesController {
  constructor(
    private readonly providers: ProviderSignInService,
    private readonly logouts: ProviderLogoutService,
    private readonly pages: ProviderPagesService,
  ) {}

  @Get()
  @Public()
  @AcceptsStream({ query: true, costly: true })
  async startSignIn(
    @Param('provider') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.providers.start(name, request, response);
  }

  @Get('callback')
  @Public()
  @AcceptsStream({ query: true, costly: true })
  async finishSignIn(
    @Param('provider') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.providers.finish(name, request, response);
  }

  @Get('logout')
  @Public()
  @AcceptsAnyQuery()
  async endSessionInFrame(
    @Param('provider') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    this.pages.signedOut(request, response, await this.logouts.frontChannel(name, request));
  }

  @Post('logout')
  @Public()
  @AcceptsStream({ costly: true })
  async endSessionsOfProvider(
    @Param('provider') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.logouts.backChannel(name, request, response);
  }
}
