import { Body, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import type { Caller } from '../../policy/caller.js';
import { DirectoryGroupsService } from './directory-groups.service.js';
import { DirectoryUsersService } from './directory-users.service.js';
import { describeService } from './scim/scim-protocol.js';
import { readShown, type ScimQuery } from './scim/scim-query.js';
import { ScimController, ScimOperation, ScimReplies } from './scim/scim-replies.js';

@ScimController('Users')
export class DirectoryUsersController {
  constructor(
    private readonly users: DirectoryUsersService,
    private readonly replies: ScimReplies,
  ) {}

  @Get()
  @ScimOperation()
  async listDirectoryUsers(@CurrentCaller() caller: Caller, @Query() query: ScimQuery) {
    const shown = readShown(query);
    return this.replies.page(await this.users.list(caller, query), (user) => this.replies.user(user, shown));
  }

  @Get(':id')
  @ScimOperation()
  async getDirectoryUser(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: ScimQuery,
  ) {
    return this.replies.user(await this.users.get(caller, id), readShown(query));
  }

  @Post()
  @ScimOperation()
  async createDirectoryUser(
    @CurrentCaller() caller: Caller,
    @Body() body: object,
    @Query() query: ScimQuery,
  ) {
    return this.replies.user(await this.users.create(caller, body), readShown(query));
  }

  @Put(':id')
  @ScimOperation()
  async replaceDirectoryUser(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: object,
    @Query() query: ScimQuery,
  ) {
    return this.replies.user(await this.users.replace(caller, id, body), readShown(query));
  }

  @Patch(':id')
  @ScimOperation()
  async changeDirectoryUser(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: object,
    @Query() query: ScimQuery,
  ) {
    return this.replies.user(await this.users.patch(caller, id, body), readShown(query));
  }

  @Delete(':id')
  @HttpCode(204)
  @ScimOperation()
  async deleteDirectoryUser(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    await this.users.delete(caller, id);
  }
}

@ScimController('Groups')
export class DirectoryGroupsController {
  constructor(
    private readonly groups: DirectoryGroupsService,
    private readonly replies: ScimReplies,
  ) {}

  @Get()
  @ScimOperation()
  async listDirectoryGroups(@CurrentCaller() caller: Caller, @Query() query: ScimQuery) {
    const shown = readShown(query);
    return this.replies.page(await this.groups.list(caller, query, shown), (group) =>
      this.replies.group(group, shown),
    );
  }

  @Get(':id')
  @ScimOperation()
  async getDirectoryGroup(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: ScimQuery,
  ) {
    const shown = readShown(query);
    return this.replies.group(await this.groups.get(caller, id, shown), shown);
  }

  @Post()
  @ScimOperation()
  async createDirectoryGroup(
    @CurrentCaller() caller: Caller,
    @Body() body: object,
    @Query() query: ScimQuery,
  ) {
    const shown = readShown(query);
    return this.replies.group(await this.groups.create(caller, body, shown), shown);
  }

  @Put(':id')
  @ScimOperation()
  async replaceDirectoryGroup(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: object,
    @Query() query: ScimQuery,
  ) {
    const shown = readShown(query);
    return this.replies.group(await this.groups.replace(caller, id, body, shown), shown);
  }

  /** Without a reply that would repeat all members. */
  @Patch(':id')
  @HttpCode(204)
  @ScimOperation()
  async changeDirectoryGroup(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: object,
  ): Promise<void> {
    await this.groups.patch(caller, id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @ScimOperation()
  async deleteDirectoryGroup(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    await this.groups.delete(caller, id);
  }
}

/** What the service supports, for clients of the protocol. */
@ScimController('')
export class DirectoryFormatController {
  constructor(private readonly replies: ScimReplies) {}

  @Get('ServiceProviderConfig')
  @ScimOperation()
  readDirectoryFeatures(): Promise<object> {
    return describeService('ServiceProviderConfig', this.replies.base);
  }

  @Get(['ResourceTypes', 'ResourceTypes/:id'])
  @ScimOperation()
  readDirectoryTypes(@Param('id') id?: string): Promise<object> {
    return describeService('ResourceType', this.replies.base, id);
  }

  @Get(['Schemas', 'Schemas/:id'])
  @ScimOperation()
  readDirectorySchemas(@Param('id') id?: string): Promise<object> {
    return describeService('Schema', this.replies.base, id);
  }
}
