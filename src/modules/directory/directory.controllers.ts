import { Delete, Get, Inject, Patch, Post, Put, type Type } from '@nestjs/common';
import SCIMMY from 'scimmy';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import type { Caller } from '../../policy/caller.js';
import { DirectoryGroupsService } from './directory-groups.service.js';
import { DirectoryUsersService } from './directory-users.service.js';
import { describeService } from './scim/scim-description.js';
import { readShown, type Found, type ScimQuery, type Shown } from './scim/scim-query.js';
import {
  SCIM_PATH,
  ScimController,
  ScimInput,
  ScimOperation,
  type ScimRequest,
} from './scim/scim-replies.js';

/** What is kept of a kind of resources, by rows. */
interface Resources<Row> {
  list(caller: Caller, query: ScimQuery, shown: Shown): Promise<Found<Row>>;
  get(caller: Caller, id: string, shown: Shown): Promise<Row>;
  create(caller: Caller, body: unknown, shown: Shown): Promise<Row>;
  replace(caller: Caller, id: string, body: unknown, shown: Shown): Promise<Row>;
  /** Undefined: not worth repeating. */
  patch(caller: Caller, id: string, body: unknown): Promise<Row | undefined>;
  delete(caller: Caller, id: string): Promise<void>;
  /** `base`: the URL of the protocol. */
  present(row: Row, base: string): object;
}

function controllerOf<Row>(service: Type<Resources<Row>>) {
  class ResourcesController {
    constructor(
      @Inject(service) readonly resources: Resources<Row>,
      readonly publicUrl: PublicUrl,
    ) {}

    @Get()
    @ScimOperation()
    async listDirectory(@ScimInput() { caller, query }: ScimRequest) {
      const shown = readShown(query);
      const { rows, total, startIndex } = await this.resources.list(caller, query, shown);
      return {
        schemas: [SCIMMY.Messages.ListResponse.id],
        totalResults: total,
        startIndex,
        itemsPerPage: rows.length,
        Resources: rows.map((row) => this.reply(row, shown)),
      };
    }

    @Get(':id')
    @ScimOperation()
    async readDirectory(@ScimInput() { caller, id, query }: ScimRequest) {
      const shown = readShown(query);
      return this.reply(await this.resources.get(caller, id, shown), shown);
    }

    @Post()
    @ScimOperation()
    async addToDirectory(@ScimInput() { caller, body, query }: ScimRequest) {
      const shown = readShown(query);
      return this.reply(await this.resources.create(caller, body, shown), shown);
    }

    @Put(':id')
    @ScimOperation()
    async replaceInDirectory(@ScimInput() { caller, id, body, query }: ScimRequest) {
      const shown = readShown(query);
      return this.reply(await this.resources.replace(caller, id, body, shown), shown);
    }

    @Patch(':id')
    @ScimOperation()
    async changeDirectory(@ScimInput() { caller, id, body, query }: ScimRequest) {
      const shown = readShown(query);
      const row = await this.resources.patch(caller, id, body);
      return row && this.reply(row, shown);
    }

    @Delete(':id')
    @ScimOperation()
    async deleteFromDirectory(@ScimInput() { caller, id }: ScimRequest): Promise<void> {
      await this.resources.delete(caller, id);
    }

    reply(row: Row, shown: Shown): object {
      const fields = Object.entries(this.resources.present(row, this.publicUrl.resolve(`/${SCIM_PATH}`)));
      return Object.fromEntries(fields.filter(([name, value]) => (value ?? null) !== null && shown(name)));
    }
  }
  return ResourcesController;
}

@ScimController('Users')
export class DirectoryUsersController extends controllerOf(DirectoryUsersService) {}

@ScimController('Groups')
export class DirectoryGroupsController extends controllerOf(DirectoryGroupsService) {}

/** What the service supports, for clients of the protocol. */
@ScimController('')
export class DirectoryFormatController {
  constructor(private readonly publicUrl: PublicUrl) {}

  @Get('ServiceProviderConfig')
  @ScimOperation()
  readDirectoryFeatures(): Promise<object> {
    return describeService('ServiceProviderConfig', this.publicUrl.resolve(`/${SCIM_PATH}`));
  }

  @Get(['ResourceTypes', 'ResourceTypes/:id'])
  @ScimOperation()
  readDirectoryTypes(@ScimInput() { id }: ScimRequest): Promise<object> {
    return describeService('ResourceType', this.publicUrl.resolve(`/${SCIM_PATH}`), id);
  }

  @Get(['Schemas', 'Schemas/:id'])
  @ScimOperation()
  readDirectorySchemas(@ScimInput() { id }: ScimRequest): Promise<object> {
    return describeService('Schema', this.publicUrl.resolve(`/${SCIM_PATH}`), id);
  }
}
