import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public, AcceptsAnyQuery } from '../../../platform/http/requests/endpoint-inputs.js';
import { MediaDeliveryService } from './media-delivery.service.js';

/** Signed media. Not in the API document, as clients get these URLs from other responses. */
@ApiExcludeController()
@Controller('media')
export class MediaDeliveryController {
  constructor(private readonly delivery: MediaDeliveryService) {}

  @Get(':id/video')
  @Public()
  @AcceptsAnyQuery()
  async video(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.delivery.video(id, request, response);
  }

  @Get(':id/thumbnail')
  @Public()
  @AcceptsAnyQuery()
  async thumbnail(
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.delivery.thumbnail(id, request, response);
  }

  @Get(':id/captions.vtt')
  @Public()
  @AcceptsAnyQuery()
  async captions(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.delivery.captions(id, request, response);
  }

  @Get(':id/hls/:token/*path')
  @Public()
  @AcceptsAnyQuery()
  async hls(
    @Param('id') id: string,
    @Param('token') token: string,
    @Param('path') path: string[],
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.delivery.hls(id, token, path.join('/'), request, response);
  }
}
