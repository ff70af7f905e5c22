import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { IMMUTABLE } from '../../../platform/http/pages/stored-file.js';
import { AcceptsAnyQuery, Public } from '../../../platform/http/requests/endpoint-inputs.js';
import { BrandingService } from './branding.service.js';

/** Logos as share pages show them. Not in the API document. */
@ApiExcludeController()
@Controller('assets/logos')
export class LogosController {
  constructor(private readonly branding: BrandingService) {}

  @Get(':version')
  @Public()
  @AcceptsAnyQuery()
  async logo(@Param('version') version: string, @Res() response: Response): Promise<void> {
    const image = await this.branding.findLogo(version);
    response.type('webp').set('Cache-Control', IMMUTABLE).send(image);
  }
}
