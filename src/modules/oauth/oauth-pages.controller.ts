import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { cardPageFilter } from '../../platform/http/pages/card-pages.js';
import { AcceptsAnyQuery, AcceptsStream, Public } from '../../platform/http/requests/endpoint-inputs.js';
import { ConsentPageService } from './consent/consent-page.service.js';
import { CONSENT_NOTICES } from './consent/consent.wording.js';
import { OAuthRequests } from './oauth-requests.service.js';
import { CONSENT_PATH, OAUTH_PATHS } from './oauth-server.service.js';

/** The pages on which people let clients act for them. Not in the API document. */
@ApiExcludeController()
@Controller()
@Public()
@UseFilters(cardPageFilter(CONSENT_NOTICES))
export class OAuthPagesController {
  constructor(
    private readonly oauth: OAuthRequests,
    private readonly consent: ConsentPageService,
  ) {}

  /** Costly, as what waits for a decision is kept. */
  @Get([OAUTH_PATHS.authorization, OAUTH_PATHS.code_verification])
  @AcceptsStream({ query: true, costly: true })
  begin(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.oauth.answer(request, response);
  }

  @Get([`${OAUTH_PATHS.authorization}/:uid`, `${OAUTH_PATHS.code_verification}/:uid`])
  @AcceptsAnyQuery()
  resume(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.oauth.answer(request, response);
  }

  @Post(OAUTH_PATHS.code_verification)
  @AcceptsStream({ query: true, costly: true })
  submitDevice(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.oauth.answer(request, response);
  }

  @Get(`${CONSENT_PATH}/:uid`)
  @AcceptsAnyQuery()
  ask(@Param('uid') uid: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.consent.open(uid, request, response);
  }

  @Post(`${CONSENT_PATH}/:uid`)
  @AcceptsStream({ query: true, costly: true })
  decide(@Param('uid') uid: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.consent.decide(uid, request, response);
  }
}
