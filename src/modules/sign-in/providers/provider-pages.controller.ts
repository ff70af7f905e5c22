import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AcceptsAnyQuery, AcceptsStream, Public } from '../../../platform/http/requests/endpoint-inputs.js';
import { ProviderLogoutService } from './provider-logout.service.js';
import { ProviderPagesFilter, SignInRefusalFilter } from './provider-pages.filter.js';
import { ProviderSignInService } from './provider-sign-in.service.js';

/** Where people leave for an identity provider and come back. Not in the API document. */
@ApiExcludeController()
@Controller('sign-in/with/:provider')
// The last one that catches an error handles it.
@UseFilters(ProviderPagesFilter, SignInRefusalFilter)
export class ProviderPagesController {
  constructor(
    private readonly providers: ProviderSignInService,
    private readonly logouts: ProviderLogoutService,
  ) {}

  @Get()
  @Public()
  @AcceptsStream({ query: true, costly: true })
  async startSignIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.providers.start(request, response);
  }

  @Get('callback')
  @Public()
  @AcceptsStream({ query: true, costly: true })
  async finishSignIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.providers.finish(request, response);
  }

  @Get('logout')
  @Public()
  @AcceptsAnyQuery()
  async endSessionInFrame(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.logouts.frontChannel(request, response);
  }

  @Post('logout')
  @Public()
  @AcceptsStream()
  async endSessionsOfProvider(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.logouts.backChannel(request, response);
  }
}
