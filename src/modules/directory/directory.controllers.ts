import { Delete, Get, HttpCode, Patch, Post, Put } from '@nestjs/common';
import { DirectoryGroupsService } from './directory-groups.service.js';
import { DirectoryUsersService } from './directory-users.service.js';
import { describeService } from './scim/scim-protocol.js';
import { readShown } from './scim/scim-query.js';
import {
  ScimController,
  ScimInput,
  ScimOperation,
  ScimReplies,
  type ScimRequest,
} from './scim/scim-replies.js';

@ScimController('Users')
export class DirectoryUsersController {
  constructor(
    private readonly users: DirectoryUsersService,
    private readonly replies: ScimReplies,
  ) {}

  @Get()
  @ScimOperation()
  async listDirectoryUsers(@ScimInput() { caller, query }: ScimRequest) {
    const shown = readShown(query);
    return this.replies.page(await this.users.list(caller, query), (user) => this.replies.user(user, shown));
  }

  @Get(':id')
  @ScimOperation()
  async getDirectoryUser(@ScimInput() { caller, id, query }: ScimRequest) {
    return this.replies.user(await this.users.get(caller, id), readShown(query));
  }

  @Post()
  @ScimOperation()
  async createDirectoryUser(@ScimInput() { caller, body, query }: ScimRequest) {
    return this.replies.user(await this.users.create(caller, body), readShown(query));
  }

  @Put(':id')
  @ScimOperation()
  async replaceDirectoryUser(@ScimInput() { caller, id, body, query }: ScimRequest) {
    return this.replies.user(await this.users.replace(caller, id, body), readShown(query));
  }

  @Patch(':id')
  @ScimOperation()
  async changeDirectoryUser(@ScimInput() { caller, id, body, query }: ScimRequest) {
    return this.replies.user(await this.users.patch(caller, id, body), readShown(query));
  }

  @Delete(':id')
  @HttpCode(204)
  @ScimOperation()
  async deleteDirectoryUser(@ScimInput() { caller, id }: ScimRequest): Promise<void> {
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
  async listDirectoryGroups(@ScimInput() { caller, query }: ScimRequest) {
    const shown = readShown(query);
    return this.replies.page(await this.groups.list(caller, query, shown), (group) =>
      this.replies.group(group, shown),
    );
  }

  @Get(':id')
  @ScimOperation()
  async getDirectoryGroup(@ScimInput() { caller, id, query }: ScimRequest) {
    const shown = readShown(query);
    return this.replies.group(await this.groups.get(caller, id, shown), shown);
  }

  @Post()
  @ScimOperation()
  async createDirectoryGroup(@ScimInput() { caller, body, query }: ScimRequest) {
    const shown = readShown(query);
    return this.replies.group(await this.groups.create(caller, body, shown), shown);
  }

  @Put(':id')
  @ScimOperation()
  async replaceDirectoryGroup(@ScimInput() { caller, id, body, query }: ScimRequest) {
    const shown = readShown(query);
    return this.replies.group(await this.groups.replace(caller, id, body, shown), shown);
  }

  /** Without a reply, which would repeat all members. */
  @Patch(':id')
  @HttpCode(204)
  @ScimOperation()
  async changeDirectoryGroup(@ScimInput() { caller, id, body }: ScimRequest): Promise<void> {
    await this.groups.patch(caller, id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @ScimOperation()
  async deleteDirectoryGroup(@ScimInput() { caller, id }: ScimRequest): Promise<void> {
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
  readDirectoryTypes(@ScimInput() { id }: ScimRequest): Promise<object> {
    return describeService('ResourceType', this.replies.base, id);
  }

  @Get(['Schemas', 'Schemas/:id'])
  @ScimOperation()
  readDirectorySchemas(@ScimInput() { id }: ScimRequest): Promise<object> {
    return describeService('Schema', this.replies.base, id);
  }
}
