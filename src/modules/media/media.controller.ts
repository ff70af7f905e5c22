import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public, TakesAnyQuery } from '../../platform/openapi/endpoint.decorator.js';
import { MediaDeliveryService } from './media-delivery.service.js';

/** Signed media. Not part of the API document: its addresses are handed out, not made by clients. */
@ApiExcludeController()
@Controller('media')
export class MediaController {
  constructor(private readonly delivery: MediaDeliveryService) {}

  @Get(':id/video')
  @Public()
  @TakesAnyQuery()
  async video(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.delivery.deliver(id, request, response);
  }
}
