import { Body, Controller, Delete, Post } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { IdParam, TargetIdParam } from '../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { reply, SUCCESS, SuccessReply, type Reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import { presentCreatedApiKey, presentRotatedApiKey } from '../api-keys/public/api-key.presenter.js';
import {
  CREATE_API_KEY_BODIES,
  CreateApiKeyDto,
  readNarrowing,
  readRotation,
  RotateApiKeyDto,
} from '../api-keys/public/api-key.request.dto.js';
import { CreatedApiKey, keyShownOnce, RotatedApiKey } from '../api-keys/public/api-key.response.dto.js';
import { ServiceAccountsService } from './service-accounts.service.js';

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
  ): Promise<Reply<CreatedApiKey>> {
    const input = { ...readNarrowing(body), name: body.name };
    return reply(presentCreatedApiKey(await this.accounts.createKey(caller, id, accountId, input)));
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
  ): Promise<Reply<RotatedApiKey>> {
    const key = { id: accountId, keyId };
    return reply(presentRotatedApiKey(await this.accounts.rotateKey(caller, id, key, readRotation(body))));
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
  ): Promise<Reply<SuccessReply>> {
    await this.accounts.revokeKey(caller, id, { id: accountId, keyId });
    return reply(SUCCESS);
  }
}
