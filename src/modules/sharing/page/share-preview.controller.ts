import { Controller, Get, Header, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AcceptsAnyQuery, Public } from '../../../platform/http/requests/endpoint-inputs.js';
import { QueuedBy } from '../../../platform/http/requests/request-queue.js';
import { SharePreviewService } from './share-preview.service.js';

/**
 * What programs read of a share page to show a preview of it, and what tells their visits from those of people. Not in
 * the API document.
 */
@ApiExcludeController()
@Controller('s')
@QueuedBy('token')
export class SharePreviewController {
  constructor(private readonly previews: SharePreviewService) {}

  /** Lasts as long as the link, unlike signed URLs: programs load it much later than the page. */
  @Get(':token/poster.jpg')
  @Public()
  @AcceptsAnyQuery()
  @Header('X-Robots-Tag', 'noindex')
  async poster(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.previews.sendPoster(token, request, response);
  }

  /** See https://oembed.com. Consumers add parameters of their own. */
  @Get(':token/oembed')
  @Public()
  @AcceptsAnyQuery()
  @Header('Cache-Control', 'no-store')
  @Header('X-Robots-Tag', 'noindex')
  oembed(@Param('token') token: string, @Req() request: Request): Promise<object> {
    return this.previews.describe(token, request);
  }

  /** Counts a view. Sent by the script of a page that somebody sees; programs that make previews run none. */
  @Post(':token/views')
  @Public()
  @HttpCode(204)
  async view(@Param('token') token: string, @Req() request: Request): Promise<void> {
    await this.previews.countView(token, request);
  }
}
