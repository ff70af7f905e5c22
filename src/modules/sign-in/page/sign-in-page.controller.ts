import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { cardPageFilter } from '../../../platform/http/pages/card-pages.js';
import { AcceptsAnyQuery, AcceptsStream, Public } from '../../../platform/http/requests/endpoint-inputs.js';
import { SignInPageService } from './sign-in-page.service.js';
import { NOTICES } from './sign-in.wording.js';

/** The pages on which people sign in. Not in the API document. */
@ApiExcludeController()
@Controller()
@Public()
@UseFilters(cardPageFilter(NOTICES))
export class SignInPageController {
  constructor(private readonly pages: SignInPageService) {}

  @Get('sign-in')
  @AcceptsAnyQuery()
  show(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.pages.show(request, response);
  }

  @Post('sign-in/mail')
  @AcceptsStream({ costly: true })
  sendLink(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.pages.sendLink(request, response);
  }

  @Post('sign-in/key')
  @AcceptsStream({ costly: true })
  signInWithKey(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.pages.signInWithKey(request, response);
  }

  /** Changes nothing: programs that check mail for viruses follow links. */
  @Get('sign-in/link/:token')
  // Email clients add query parameters of their own to links.
  @AcceptsAnyQuery()
  showLink(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.pages.showLink(token, request, response);
  }

  @Post('sign-in/link/:token')
  @AcceptsStream({ query: true, costly: true })
  openLink(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.pages.openLink(token, request, response);
  }

  @Post('sign-out')
  @AcceptsStream({ costly: true })
  signOut(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.pages.signOut(request, response);
  }
}
