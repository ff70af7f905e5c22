import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '../../../src/contract/api-tags.decorator.js';
import {
  CursorPagination,
  replyCursorPage,
  type PageReply,
} from '../../../src/contract/cursor-pagination.dto.js';
import { Endpoint } from '../../../src/contract/endpoint.decorator.js';
import { RECORDING_REFUSALS } from '../../../src/contract/error-responses.js';
import { IdParam } from '../../../src/contract/id-param.decorator.js';
import { CurrentCaller } from '../../../src/platform/http/requests/current-caller.decorator.js';
import { reply, SUCCESS, SuccessReply, type Reply } from '../../../src/platform/openapi/reply.dto.js';
import type { Caller } from '../../../src/policy/caller.js';
import { BookmarksService } from './bookmarks.service.js';
import { BookmarkDetails, presentBookmark } from './dto/bookmark.response.dto.js';
import { CreateBookmarkDto } from './dto/create-bookmark.dto.js';
import { ListBookmarksDto } from './dto/list-bookmarks.dto.js';
import { UpdateBookmarkDto } from './dto/update-bookmark.dto.js';

@ApiTags('Recordings')
@Controller('recordings')
export class BookmarksController {
  constructor(private readonly bookmarks: BookmarksService) {}

  @Post(':id/bookmarks')
  @Endpoint({
    summary: 'Add a bookmark',
    scope: 'recordings:write',
    description:
      'Available to anyone who can read the recording. All of them see it; only its author can change it.',
    status: 201,
    location: '/recordings/:id/bookmarks',
    reply: BookmarkDetails,
    errors: RECORDING_REFUSALS,
  })
  async createBookmark(
    @CurrentCaller() caller: Caller,
    @IdParam('recording') id: string,
    @Body() body: CreateBookmarkDto,
  ): Promise<Reply<BookmarkDetails>> {
    return reply(presentBookmark(await this.bookmarks.create(caller, id, body)));
  }

  @Get(':id/bookmarks')
  @Endpoint({
    summary: 'List bookmarks',
    scope: 'recordings:read',
    description: 'A page of the bookmarks of a recording, newest first.',
    reply: BookmarkDetails,
    many: true,
    pagination: CursorPagination,
    errors: RECORDING_REFUSALS,
  })
  async listBookmarks(
    @CurrentCaller() caller: Caller,
    @IdParam('recording') id: string,
    @Query() query: ListBookmarksDto,
  ): Promise<PageReply<BookmarkDetails>> {
    return replyCursorPage(await this.bookmarks.list(caller, id, query), presentBookmark);
  }

  @Patch(':id/bookmarks/:bookmarkId')
  @Endpoint({
    summary: 'Change a bookmark',
    scope: 'recordings:write',
    description: 'Available to its author.',
    reply: BookmarkDetails,
    errors: [...RECORDING_REFUSALS, 'BOOKMARK_NOT_FOUND', 'BOOKMARK_NOT_YOURS'],
  })
  async updateBookmark(
    @CurrentCaller() caller: Caller,
    @IdParam('recording') id: string,
    @IdParam('bookmark', 'bookmarkId') bookmarkId: string,
    @Body() body: UpdateBookmarkDto,
  ): Promise<Reply<BookmarkDetails>> {
    return reply(presentBookmark(await this.bookmarks.update(caller, id, bookmarkId, body)));
  }

  @Delete(':id/bookmarks/:bookmarkId')
  @Endpoint({
    summary: 'Delete a bookmark',
    scope: 'recordings:write',
    description: 'Available to its author, even when the recording is locked.',
    reply: SuccessReply,
    errors: ['RECORDING_NOT_FOUND', 'BOOKMARK_NOT_FOUND', 'BOOKMARK_NOT_YOURS'],
  })
  async deleteBookmark(
    @CurrentCaller() caller: Caller,
    @IdParam('recording') id: string,
    @IdParam('bookmark', 'bookmarkId') bookmarkId: string,
  ): Promise<Reply<SuccessReply>> {
    await this.bookmarks.delete(caller, id, bookmarkId);
    return reply(SUCCESS);
  }
}
