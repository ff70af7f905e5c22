import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AcceptsAnyQuery, AcceptsStream, Public } from '../../platform/http/requests/endpoint-inputs.js';
import { OAuthRequests } from './oauth-requests.service.js';
import { METADATA_PATH, OAUTH_PATHS } from './oauth-server.service.js';

/** What clients of the authorization server request by themselves. Not in the API document: RFCs describe it. */
@ApiExcludeController()
@Controller()
@Public()
export class OAuthController {
  constructor(private readonly oauth: OAuthRequests) {}

  @Get(METADATA_PATH)
  @AcceptsAnyQuery()
  readMetadata(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.oauth.answer(request, response);
  }

  @Post([OAUTH_PATHS.token, OAUTH_PATHS.revocation])
  @AcceptsStream({ query: true })
  issueOrRevoke(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.oauth.answer(request, response);
  }

  @Post([OAUTH_PATHS.registration, OAUTH_PATHS.device_authorization])
  @AcceptsStream({ query: true, costly: true })
  registerOrAuthorizeDevice(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.oauth.answer(request, response);
  }
}
