import { Module } from '@nestjs/common';
import { McpController, ProtectedResourceController } from './mcp.controller.js';
import { McpService } from './mcp.service.js';

/** What language models can do with meetings: a server of the Model Context Protocol in front of the API. */
@Module({
  controllers: [McpController, ProtectedResourceController],
  providers: [McpService],
})
export class McpModule {}
