import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { IdParam, TargetIdParam } from '../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { reply, succeed, SuccessReply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import { CursorPagination } from '../../contract/cursor-pagination.dto.js';
import { replyPage } from './dto/name-list.dto.js';
import {
  ListedFolder,
  presentFolder,
  CREATE_FOLDER_BODIES,
  CreateFolderDto,
  ListFoldersDto,
  UPDATE_FOLDER_BODIES,
  UpdateFolderDto,
} from './dto/folder.dto.js';
import { FoldersService } from './folders.service.js';
import { LIMITS } from '../../contract/limits.js';
import { countText } from '../../lib/amounts.js';

@ApiTags('Organizations')
@Controller('organizations/:id/folders')
export class FoldersController {
  constructor(private readonly folders: FoldersService) {}

  @Get()
  @Endpoint({
    summary: 'List folders',
    scope: 'organizations:read',
    description:
      'All active folders of the organization, sorted by name. The caller must be a member. With `limit` or `cursor`, the list is paginated and the response includes `pagination`.',
    reply: ListedFolder,
    compressed: true,
    many: true,
    optionalPagination: CursorPagination,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async listFolders(
    @CurrentCaller() caller: Caller,
    @IdParam('organization') id: string,
    @Query() query: ListFoldersDto,
  ) {
    return replyPage(await this.folders.list(caller, id, query), presentFolder);
  }

  @Post()
  @ApiBody({ type: CreateFolderDto, examples: CREATE_FOLDER_BODIES })
  @Endpoint({
    summary: 'Create a folder',
    scope: 'organizations:manage',
    description: `\`OWNER\` and \`ADMIN\` only. An organization can have at most ${countText(LIMITS.folders)} folders; restricted folders can list at most ${countText(LIMITS.folderMembers)} members in total.`,
    status: 201,
    location: '/organizations/:id/folders',
    reply: ListedFolder,
    errors: ['ORGANIZATION_NOT_FOUND', 'CONFLICT'],
  })
  async createFolder(
    @CurrentCaller() caller: Caller,
    @IdParam('organization') id: string,
    @Body() body: CreateFolderDto,
  ) {
    return reply(presentFolder(await this.folders.create(caller, id, body)));
  }

  @Patch(':folderId')
  @ApiBody({ type: UpdateFolderDto, examples: UPDATE_FOLDER_BODIES })
  @Endpoint({
    summary: 'Update a folder',
    scope: 'organizations:manage',
    description:
      '`OWNER` and `ADMIN` only. Restricting a folder hides its recordings from members who lose access to it, effective with their next request; share links keep working.',
    reply: ListedFolder,
    shows: { as: 'ChangedFolder', scope: 'organizations:read', always: ['id'] },
    errors: ['ORGANIZATION_NOT_FOUND', 'FOLDER_NOT_FOUND', 'CONFLICT'],
  })
  async updateFolder(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @TargetIdParam('folder', 'folderId') folderId: string,
    @Body() body: UpdateFolderDto,
  ) {
    return reply(presentFolder(await this.folders.update(caller, id, folderId, body)));
  }

  @Delete(':folderId')
  @Endpoint({
    summary: 'Delete a folder',
    scope: 'organizations:manage',
    description: '`OWNER` and `ADMIN` only. Its recordings are kept, but are no longer in a folder.',
    reply: SuccessReply,
    errors: ['ORGANIZATION_NOT_FOUND', 'FOLDER_NOT_FOUND'],
  })
  async deleteFolder(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @TargetIdParam('folder', 'folderId') folderId: string,
  ) {
    return succeed(this.folders.delete(caller, id, folderId));
  }
}
