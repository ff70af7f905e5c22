import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AcceptsAnyQuery, Public } from '../../platform/http/requests/endpoint-inputs.js';
import { LibraryAssets } from './library-assets.js';
import { LibraryPageService } from './library-page.service.js';

/** The library: one page, whose script shows what its URL asks for. Not in the API document. */
@ApiExcludeController()
@Controller()
export class LibraryPageController {
  constructor(
    private readonly pages: LibraryPageService,
    private readonly assets: LibraryAssets,
  ) {}

  @Get(['app', 'app/*path'])
  @Public()
  @AcceptsAnyQuery()
  open(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response);
  }

  @Get('assets/app/:version/*path')
  @Public()
  @AcceptsAnyQuery()
  file(
    @Param('version') version: string,
    @Param('path') path: string[],
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.assets.send(version, path.join('/'), request, response);
  }
}
