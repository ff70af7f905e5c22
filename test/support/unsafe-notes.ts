import { Body, Controller, Get, Module, Param, Post, Query } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ApiTags } from '../../src/contract/api-tags.decorator.js';
import { Endpoint } from '../../src/contract/endpoint.decorator.js';
import { ApiIdParam } from '../../src/contract/id-param.decorator.js';
import { LIMITS } from '../../src/contract/limits.js';
import { TextField } from '../../src/platform/http/fields.js';
import { reply, SUCCESS, SuccessReply, type Reply } from '../../src/platform/openapi/reply.dto.js';

class UnsafeNoteDto {
  @TextField({ ...LIMITS.name, description: 'What it says', example: 'Budget' })
  label: string;
}

/** What the tests with quotes have to find: values of a path and of a body in the text of a statement; that of the query is bound. */
@ApiTags('Recordings')
@Controller('unsafe-notes')
class UnsafeNotesController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Get(':noteId')
  @ApiIdParam('note', 'noteId')
  @Endpoint({ summary: 'Read a note', reply: SuccessReply })
  async read(
    @Param('noteId') noteId: string,
    @Query() { label }: UnsafeNoteDto,
  ): Promise<Reply<SuccessReply>> {
    await this.dataSource.query(`SELECT 1 WHERE '${noteId}' = $1`, [label]);
    return reply(SUCCESS);
  }

  @Post()
  @Endpoint({ summary: 'Write a note', status: 201, location: '/unsafe-notes', reply: SuccessReply })
  async write(@Body() { label }: UnsafeNoteDto): Promise<Reply<SuccessReply>> {
    await this.dataSource.query(`SELECT 1 WHERE '' = '${label}'`);
    return reply(SUCCESS);
  }
}

@Module({ controllers: [UnsafeNotesController] })
export class UnsafeNotesModule {}
