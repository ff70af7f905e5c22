import { Controller, Delete, Head, Options, Patch, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { Public, AcceptsStream } from '../../../platform/http/requests/endpoint-inputs.js';
import type { Caller } from '../../../policy/caller.js';
import { TusService } from './tus.service.js';

/** The tus 1.0 endpoints. Not in the API document, as the protocol specifies them. */
@ApiExcludeController()
@Controller('uploads')
export class TusController {
  constructor(private readonly tus: TusService) {}

  @Options(['', ':id'])
  @Public()
  @AcceptsStream()
  async capabilities(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.tus.handle(null, request, response);
  }

  @Post()
  @AcceptsStream({ costly: true })
  async create(
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.tus.handle(caller, request, response);
  }

  @Head(':id')
  @AcceptsStream()
  async offset(
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.tus.handle(caller, request, response);
  }

  @Patch(':id')
  @AcceptsStream()
  async append(
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.tus.handle(caller, request, response);
  }

  @Delete(':id')
  @AcceptsStream()
  async cancel(
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.tus.handle(caller, request, response);
  }
}
