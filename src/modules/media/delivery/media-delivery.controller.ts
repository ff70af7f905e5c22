import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public, AcceptsAnyQuery } from '../../../platform/http/requests/endpoint-inputs.js';
import { MediaDeliveryService } from './media-delivery.service.js';

/** Signed media. Not in the API document, as clients get these URLs from other responses. */
@ApiExcludeController()
@Public()
@Controller('media')
export class MediaDeliveryController {
  constructor(private readonly delivery: MediaDeliveryService) {}

  @Get(':id/video')
  @AcceptsAnyQuery()
  async video(@Param('id') id: string, @Res() response: Response): Promise<void> {
    await this.delivery.video(id, response);
  }

  @Get(':id/thumbnail')
  @AcceptsAnyQuery()
  async thumbnail(@Param('id') id: string, @Res() response: Response): Promise<void> {
    await this.delivery.thumbnail(id, response);
  }

  @Get(':id/captions.vtt')
  @AcceptsAnyQuery()
  async captions(@Param('id') id: string, @Res() response: Response): Promise<void> {
    await this.delivery.captions(id, response);
  }

  @Get(':id/hls/:token/*path')
  @AcceptsAnyQuery()
  async hls(
    @Param('id') id: string,
    @Param('token') token: string,
    @Param('path') path: string[],
    @Res() response: Response,
  ): Promise<void> {
    await this.delivery.hls(id, token, path.join('/'), response);
  }
}
