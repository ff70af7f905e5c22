import { Controller, Get, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, TakesAnyQuery } from '../../platform/openapi/endpoint.decorator.js';
import { reply, type Reply } from '../../platform/openapi/reply.dto.js';
import { presentSharePage, type SharePage } from './dto/share-page.response.dto.js';
import { SharePageService } from './share-page.service.js';

/** What a recipient's browser opens. Not part of the API document: its addresses are handed out. */
@ApiExcludeController()
@Controller('s')
export class SharePageController {
  constructor(private readonly pages: SharePageService) {}

  @Get(':token')
  @Public()
  // Messengers add parameters of their own to links that people hand on.
  @TakesAnyQuery()
  async open(@Param('token') token: string): Promise<Reply<SharePage>> {
    return reply(presentSharePage(await this.pages.open(token)));
  }
}
