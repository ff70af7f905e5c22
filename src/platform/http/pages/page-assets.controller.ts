import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public, AcceptsAnyQuery } from '../requests/endpoint-inputs.js';
import { PageAssets } from './page-assets.js';

/** Static files of the pages for people. Not in the API document. */
@ApiExcludeController()
@Controller('assets/share')
export class PageAssetsController {
  constructor(private readonly assets: PageAssets) {}

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
