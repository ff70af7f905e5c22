import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public, AcceptsAnyQuery } from '../../../platform/http/requests/endpoint-inputs.js';
import { ShareAssetsService } from './share-assets.service.js';

/** Static files of the share page. Not in the API document. */
@ApiExcludeController()
@Controller('assets/share')
export class ShareAssetsController {
  constructor(private readonly assets: ShareAssetsService) {}

  @Get(':version/:name')
  @Public()
  @AcceptsAnyQuery()
  file(
    @Param('version') version: string,
    @Param('name') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): void {
    this.assets.send(version, name, request, response);
  }
}
