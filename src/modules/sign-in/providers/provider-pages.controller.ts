import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { cardPageFilter } from '../../../platform/http/pages/card-pages.js';
import { AcceptsAnyQuery, AcceptsStream, Public } from '../../../platform/http/requests/endpoint-inputs.js';
import { ProviderLogoutService } from './provider-logout.service.js';
import { NOTICES } from './provider-pages.wording.js';
import { ProviderSignInService } from './provider-sign-in.service.js';
import { SignInRefusalFilter } from './sign-in-refusal.filter.js';

/** Where people leave for an identity provider and come back. Not in the API document. */
@ApiExcludeController()
@Controller('sign-in/with/:provider')
@Public()
// The last one that catches an error handles it.
@UseFilters(cardPageFilter(NOTICES), SignInRefusalFilter)
export class ProviderPagesController {
  constructor(
    private readonly providers: ProviderSignInService,
    private readonly logouts: ProviderLogoutService,
  ) {}

  @Get()
  @AcceptsStream({ query: true, costly: true })
  startSignIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.providers.start(request, response);
  }

  @Get('callback')
  @AcceptsStream({ query: true, costly: true })
  finishSignIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.providers.finish(request, response);
  }

  @Get('logout')
  @AcceptsAnyQuery()
  endSessionInFrame(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.logouts.frontChannel(request, response);
  }

  @Post('logout')
  @AcceptsStream()
  endSessionsOfProvider(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.logouts.backChannel(request, response);
  }
}
