import { Controller, Get, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../platform/http/requests/endpoint-inputs.js';
import { reply } from '../../platform/openapi/reply.dto.js';
import { DemoService } from './demo.service.js';

/** With which the API docs fill in a key of the demo workspace, on this host only. Not in the API document. */
@ApiExcludeController()
@Controller('docs/demo-key')
@Public()
export class DemoKeyController {
  constructor(private readonly demo: DemoService) {}

  @Get()
  async isOffered(@Req() request: Request) {
    return reply({ offered: await this.demo.isOffered(request) });
  }

  @Post()
  async create(@Req() request: Request) {
    return reply({ key: await this.demo.keyForDocs(request) });
  }
}
