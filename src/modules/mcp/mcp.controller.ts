import { Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AnyScope } from '../../contract/scope.decorator.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { AcceptsJson } from '../../platform/http/requests/endpoint-inputs.js';
import type { Caller } from '../../policy/caller.js';
import { McpFilter } from './mcp.filter.js';
import { McpService } from './mcp.service.js';

/** The Model Context Protocol, as streamable HTTP: one message a request, and no sessions. */
@ApiExcludeController()
@Controller('mcp')
@UseFilters(McpFilter)
export class McpController {
  constructor(private readonly mcp: McpService) {}

  @Post()
  @AnyScope()
  @AcceptsJson()
  answer(@CurrentCaller() caller: Caller, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.mcp.answer(caller, request, response);
  }
}
