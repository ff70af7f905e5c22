import {
  Controller,
  Get,
  Header,
  Param,
  Post,
  Req,
  Res,
  UseFilters,
  HttpCode,
  type StreamableFile,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { QueuedBy } from '../../../platform/http/requests/request-queue.js';
import { sendTextFile } from '../../../platform/http/replies/text-file.js';
import { Public, AcceptsAnyQuery, AcceptsStream } from '../../../platform/http/requests/endpoint-inputs.js';
import { SharePageFilter } from './share-page.renderer.js';
import { SharePageService } from './share-page.service.js';
import { SharePreviewService } from './share-preview.service.js';

/** The share page that recipients open in a browser. Not in the API document. */
@ApiExcludeController()
@Controller('s')
@QueuedBy('token', 'share link')
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

/**
 * What programs read of a share page to show a preview of it, and what tells their visits from those of people. Not in
 * the API document.
 */
@ApiExcludeController()
@Controller('s')
@QueuedBy('token', 'share link')
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
