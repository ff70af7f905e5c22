import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AcceptsAnyQuery, AcceptsStream, Public } from '../../../platform/http/requests/endpoint-inputs.js';
import { SignInPageFilter } from './sign-in-page.filter.js';
import { SignInPageService } from './sign-in-page.service.js';

/** The pages on which people sign in. Not in the API document. */
@ApiExcludeController()
@Controller()
@UseFilters(SignInPageFilter)
export class SignInPageController {
  constructor(private readonly pages: SignInPageService) {}

  @Get('sign-in')
  @Public()
  @AcceptsAnyQuery()
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.pages.show(request, response);
  }

  @Post('sign-in/mail')
  @Public()
  @AcceptsStream({ costly: true })
  async sendLink(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.pages.sendLink(request, response);
  }

  @Post('sign-in/key')
  @Public()
  @AcceptsStream({ costly: true })
  async signInWithKey(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.pages.signInWithKey(request, response);
  }

  /** Changes nothing: programs that check mail for viruses follow links. */
  @Get('sign-in/link/:token')
  @Public()
  // Email clients add query parameters of their own to links.
  @AcceptsAnyQuery()
  async showLink(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.pages.showLink(token, request, response);
  }

  @Post('sign-in/link/:token')
  @Public()
  @AcceptsStream({ query: true, costly: true })
  async openLink(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.pages.openLink(token, request, response);
  }

  @Post('sign-out')
  @Public()
  @AcceptsStream({ costly: true })
  async signOut(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.pages.signOut(request, response);
  }
}
