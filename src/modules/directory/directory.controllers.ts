import { Delete, Get, Inject, Patch, Post, Put, type Type } from '@nestjs/common';
import SCIMMY from 'scimmy';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import type { Caller } from '../../policy/caller.js';
import { DirectoryGroupsService } from './directory-groups.service.js';
import { DirectoryUsersService } from './directory-users.service.js';
import { describeService } from './scim/scim-description.js';
import type { Found, ScimQuery, Shown } from './scim/scim-query.js';
import {
  SCIM_PATH,
  ScimController,
  ScimInput,
  ScimOperation,
  type ScimRequest,
} from './scim/scim-replies.js';

/** What the protocol needs of a kind of resource: users or groups. */
interface Resources<Row> {
  list(caller: Caller, query: ScimQuery): Promise<Found<Row>>;
  get(caller: Caller, id: string): Promise<Row>;
  create(caller: Caller, body: unknown): Promise<Row>;
  /** Undefined: the reply has no body. */
  change(caller: Caller, id: string, method: 'PUT' | 'PATCH', body: unknown): Promise<Row | undefined>;
  delete(caller: Caller, id: string): Promise<void>;
  /** Leaves out the last rows if the reply would be too large. `base`: the URL of the protocol. */
  present(rows: readonly Row[], base: string, shown: Shown): Promise<readonly object[]>;
}

function controllerOf<Row>(service: Type<Resources<Row>>) {
  class ResourcesController {
    constructor(
      @Inject(service) readonly resources: Resources<Row>,
      readonly publicUrl: PublicUrl,
    ) {}

    @Get()
    @ScimOperation()
    async listDirectory(@ScimInput() { caller, query, shown }: ScimRequest) {
      const { rows, total, startIndex } = await this.resources.list(caller, query);
      const resources = await this.present(rows, shown);
      return {
        schemas: [SCIMMY.Messages.ListResponse.id],
        totalResults: total,
        startIndex,
        itemsPerPage: resources.length,
        Resources: resources,
      };
    }

    @Get(':id')
    @ScimOperation()
    async readDirectory(@ScimInput() { caller, id, shown }: ScimRequest) {
      return this.presentOne(await this.resources.get(caller, id), shown);
    }

    @Post()
    @ScimOperation()
    async addToDirectory(@ScimInput() { caller, body, shown }: ScimRequest) {
      return this.presentOne(await this.resources.create(caller, body), shown);
    }

    @Put(':id')
    @ScimOperation()
    async replaceInDirectory(@ScimInput() { caller, id, body, shown }: ScimRequest) {
      return this.presentOne(await this.resources.change(caller, id, 'PUT', body), shown);
    }

    @Patch(':id')
    @ScimOperation()
    async changeDirectory(@ScimInput() { caller, id, body, shown }: ScimRequest) {
      return this.presentOne(await this.resources.change(caller, id, 'PATCH', body), shown);
    }

    @Delete(':id')
    @ScimOperation()
    async deleteFromDirectory(@ScimInput() { caller, id }: ScimRequest): Promise<void> {
      await this.resources.delete(caller, id);
    }

    async presentOne(row: Row | undefined, shown: Shown): Promise<object | undefined> {
      return row && (await this.present([row], shown))[0];
    }

    /** Presents rows with the attributes that the request asks for. */
    async present(rows: readonly Row[], shown: Shown): Promise<readonly object[]> {
      const presented = await this.resources.present(rows, this.publicUrl.resolve(`/${SCIM_PATH}`), shown);
      return presented.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => shown(name))));
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
