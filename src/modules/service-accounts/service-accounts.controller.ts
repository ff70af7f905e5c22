import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { present } from '../../contract/present.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { IdParam, TargetIdParam } from '../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { reply, succeed, SuccessReply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import {
  CREATE_API_KEY_BODIES,
  CreateApiKeyDto,
  RotateApiKeyDto,
} from '../api-keys/public/api-key.request.dto.js';
import { PresentedDeparture, presentDeparture } from '../organizations/public/departure.response.dto.js';
import {
  CREATE_SERVICE_ACCOUNT_BODIES,
  CreateServiceAccountDto,
  DeleteServiceAccountDto,
  UpdateServiceAccountDto,
  ListedServiceAccount,
  presentCreatedServiceAccount,
  PresentedCreatedServiceAccount,
  PresentedServiceAccount,
  presentServiceAccount,
  presentServiceAccountDetail,
  PresentedUpdatedServiceAccount,
} from './service-account.dto.js';
import {
  keyShownOnce,
  presentCreatedApiKey,
  presentRotatedApiKey,
  CreatedApiKey,
  RotatedApiKey,
} from '../api-keys/public/api-key.response.dto.js';
import { ServiceAccountsService } from './service-accounts.service.js';

@ApiTags('Service accounts')
@Controller('organizations/:id/service-accounts')
export class ServiceAccountsController {
  constructor(private readonly accounts: ServiceAccountsService) {}

  @Get()
  @Endpoint({
    summary: 'List service accounts',
    scope: 'organizations:read',
    description: '`OWNER` and `ADMIN` only. All service accounts of the organization, sorted by name.',
    reply: ListedServiceAccount,
    compressed: true,
    many: true,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async listServiceAccounts(@CurrentCaller() caller: Caller, @IdParam('organization') id: string) {
    return reply((await this.accounts.list(caller, id)).map(presentServiceAccount));
  }

  @Post()
  @ApiBody({ type: CreateServiceAccountDto, examples: CREATE_SERVICE_ACCOUNT_BODIES })
  @Endpoint({
    summary: 'Create a service account',
    scope: ['organizations:manage', 'keys:manage'],
    description:
      'For a program that works for the organization rather than for a person: it is not in the list of members, owns the recordings that it creates, is named in the audit log, and stays when the member who created it leaves. The response is the only one that contains the full key.\n\n- `OWNER` and `ADMIN` only, with a role that they manage: an `OWNER` any of these, an `ADMIN` `EDITOR` and `VIEWER`.\n- Its keys reach this organization only. They have the limits of the API key of this request unless others are given, and can never do more or work longer (403).\n- Restricted folders among `folders` are opened to the account; `restricted_to` of a folder takes its id like that of a member.\n- An organization can have at most 100.',
    status: 201,
    location: '/organizations/:id/service-accounts/{id}',
    reply: PresentedCreatedServiceAccount,
    secrets: keyShownOnce('/organizations/{id}/service-accounts/{accountId}/keys/{keyId}', 'api_key.key'),
    errors: ['ORGANIZATION_NOT_FOUND', 'CONFLICT'],
  })
  async createServiceAccount(
    @CurrentCaller() caller: Caller,
    @IdParam('organization') id: string,
    @Body() body: CreateServiceAccountDto,
  ) {
    return reply(presentCreatedServiceAccount(await this.accounts.create(caller, id, body)));
  }

  @Get(':accountId')
  @Endpoint({
    summary: 'Get a service account',
    scope: 'organizations:read',
    description:
      '`OWNER` and `ADMIN` only. The account with its keys, without those that are less limited than the API key of this request; never the full keys.',
    reply: PresentedServiceAccount,
    errors: ['ORGANIZATION_NOT_FOUND', 'SERVICE_ACCOUNT_NOT_FOUND'],
  })
  async getServiceAccount(
    @CurrentCaller() caller: Caller,
    @IdParam('organization') id: string,
    @IdParam('service account', 'accountId') accountId: string,
  ) {
    return reply(presentServiceAccountDetail(await this.accounts.get(caller, id, accountId)));
  }

  @Patch(':accountId')
  @Endpoint({
    summary: 'Update a service account',
    scope: 'organizations:manage',
    description:
      'For those who manage both its role and the new one. Takes effect with its next request. Webhooks of the organization that a former `ADMIN` was responsible for are disabled.',
    reply: PresentedUpdatedServiceAccount,
    shows: { as: 'UpdatedServiceAccount', scope: 'organizations:read', always: ['id'] },
    errors: ['ORGANIZATION_NOT_FOUND', 'SERVICE_ACCOUNT_NOT_FOUND'],
  })
  async updateServiceAccount(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @IdParam('service account', 'accountId') accountId: string,
    @Body() changes: UpdateServiceAccountDto,
  ) {
    const updated = await this.accounts.update(caller, id, accountId, changes);
    return reply(present(PresentedUpdatedServiceAccount, updated));
  }

  @Delete(':accountId')
  @Endpoint({
    summary: 'Delete a service account',
    scope: 'organizations:manage',
    description:
      'For those who manage its role. Its keys no longer work, its share links stop working, webhooks that it was responsible for are disabled, and its recordings stay with the organization and pass to `new_owner`.',
    reply: PresentedDeparture,
    errors: ['ORGANIZATION_NOT_FOUND', 'SERVICE_ACCOUNT_NOT_FOUND', 'CONFLICT', 'LEGAL_HOLD'],
  })
  async deleteServiceAccount(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @TargetIdParam('service account', 'accountId') accountId: string,
    @Query() { new_owner: newOwner }: DeleteServiceAccountDto,
  ) {
    return reply(presentDeparture(await this.accounts.delete(caller, id, accountId, { newOwner })));
  }
}

const ERRORS = ['ORGANIZATION_NOT_FOUND', 'SERVICE_ACCOUNT_NOT_FOUND'] as const;

/** Keys of service accounts, for those who manage them; the accounts themselves manage their own with `/api-keys`. */
@ApiTags('Service accounts')
@Controller('organizations/:id/service-accounts/:accountId/keys')
export class ServiceAccountKeysController {
  constructor(private readonly accounts: ServiceAccountsService) {}

  @Post()
  @ApiBody({ type: CreateApiKeyDto, examples: CREATE_API_KEY_BODIES })
  @Endpoint({
    summary: 'Create a key of a service account',
    scope: ['organizations:manage', 'keys:manage'],
    description:
      'For those who manage its role. As with `POST /api-keys`, the new key can do no more and work no longer than the API key of this request. It reaches this organization only.',
    status: 201,
    location: '/organizations/:id/service-accounts/:accountId',
    reply: CreatedApiKey,
    secrets: keyShownOnce('/organizations/{id}/service-accounts/{accountId}/keys/{keyId}'),
    errors: [...ERRORS, 'CONFLICT'],
  })
  async createServiceAccountKey(
    @CurrentCaller() caller: Caller,
    @IdParam('organization') id: string,
    @IdParam('service account', 'accountId') accountId: string,
    @Body() body: CreateApiKeyDto,
  ) {
    return reply(presentCreatedApiKey(await this.accounts.createKey(caller, id, accountId, body)));
  }

  @Post(':keyId/rotate')
  @Endpoint({
    summary: 'Rotate a key of a service account',
    scope: ['organizations:manage', 'keys:manage'],
    description: 'For those who manage its role; otherwise like `POST /api-keys/{id}/rotate`.',
    status: 201,
    location: '/organizations/:id/service-accounts/:accountId',
    reply: RotatedApiKey,
    secrets: keyShownOnce('/organizations/{id}/service-accounts/{accountId}/keys/{keyId}'),
    errors: [...ERRORS, 'API_KEY_NOT_FOUND', 'ALREADY_REVOKED', 'CONFLICT'],
  })
  async rotateServiceAccountKey(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @TargetIdParam('service account', 'accountId') accountId: string,
    @TargetIdParam('API key', 'keyId') keyId: string,
    @Body() body: RotateApiKeyDto,
  ) {
    return reply(presentRotatedApiKey(await this.accounts.rotateKey(caller, id, accountId, keyId, body)));
  }

  @Delete(':keyId')
  @Endpoint({
    summary: 'Revoke a key of a service account',
    scope: ['organizations:manage', 'keys:manage'],
    description: 'For those who manage its role. Permanent and effective immediately.',
    reply: SuccessReply,
    errors: [...ERRORS, 'API_KEY_NOT_FOUND', 'ALREADY_REVOKED'],
  })
  async revokeServiceAccountKey(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @TargetIdParam('service account', 'accountId') accountId: string,
    @TargetIdParam('API key', 'keyId') keyId: string,
  ) {
    return succeed(this.accounts.revokeKey(caller, id, accountId, keyId));
  }
}
