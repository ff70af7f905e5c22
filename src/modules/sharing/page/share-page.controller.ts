import { Controller, Get, Header, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { QueuedBy } from '../../../platform/http/requests/request-queue.js';
import { sendTextFile } from '../../../platform/http/replies/text-file.js';
import { Public, AcceptsAnyQuery, AcceptsStream } from '../../../platform/http/requests/endpoint-inputs.js';
import { SharePageFilter } from './share-page.filter.js';
import { SharePageService } from './share-page.service.js';

/** The share page that recipients open in a browser. Not in the API document. */
@ApiExcludeController()
@Controller('s')
@QueuedBy('token')
@UseFilters(SharePageFilter)
export class SharePageController {
  constructor(private readonly pages: SharePageService) {}

  @Get(':token')
  @Public()
  // Messaging apps add query parameters of their own to shared links.
  @AcceptsAnyQuery()
  async open(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.pages.open(token, request, response);
  }

  @Post(':token')
  @Public()
  @AcceptsStream({ query: true, costly: true })
  async unlock(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.pages.unlock(token, request, response);
  }

  @Get(':token/captions.vtt')
  @Public()
  @AcceptsAnyQuery()
  @Header('Cache-Control', 'no-store')
  @Header('X-Robots-Tag', 'noindex')
  async captions(@Param('token') token: string, @Req() request: Request): Promise<StreamableFile> {
    return sendTextFile(await this.pages.captions(token, request));
  }

  @Get(':token/transcript')
  @Public()
  @AcceptsAnyQuery()
  @Header('Cache-Control', 'no-store')
  @Header('X-Robots-Tag', 'noindex')
  async transcript(@Param('token') token: string, @Req() request: Request): Promise<StreamableFile> {
    return sendTextFile(await this.pages.transcript(token, request));
  }
}
