import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RequiresScopes } from '../../../contract/scope.decorator.js';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import type { Caller } from '../../../policy/caller.js';
import { AcceptsJson, Public } from '../../../platform/http/requests/endpoint-inputs.js';
import { readAddition, readAttempt } from './passkey-bodies.js';
import { PasskeysService } from './passkeys.service.js';

/** What the scripts of pages send to sign in with a passkey, and to add one. Not in the API document. */
@ApiExcludeController()
@Controller()
export class PasskeysController {
  constructor(private readonly passkeys: PasskeysService) {}

  @Post('sign-in/passkey/options')
  @Public()
  @AcceptsJson({ public: true, costly: true })
  @HttpCode(200)
  async attemptOptions(@Req() request: Request) {
    return { data: await this.passkeys.attemptOptions(request) };
  }

  @Post('sign-in/passkey')
  @Public()
  @AcceptsJson({ public: true, costly: true })
  @HttpCode(200)
  async signIn(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    return { data: await this.passkeys.signIn(readAttempt(request.body), request, response) };
  }

  @Post('account/passkeys/options')
  @RequiresScopes('keys:manage')
  @AcceptsJson({ public: true, costly: true })
  @HttpCode(200)
  async additionOptions(@CurrentCaller() caller: Caller, @Req() request: Request) {
    return { data: await this.passkeys.additionOptions(caller, request) };
  }

  @Post('account/passkeys')
  @RequiresScopes('keys:manage')
  @AcceptsJson({ public: true, costly: true })
  @HttpCode(204)
  add(@CurrentCaller() caller: Caller, @Req() request: Request): Promise<void> {
    return this.passkeys.add(caller, readAddition(request.body), request);
  }
}
