import { OmitType } from '@nestjs/swagger';
import {
  BooleanProperty,
  EnumProperty,
  NestedProperty,
  StringListProperty,
} from '../../../platform/openapi/field.decorator.js';
import { USER_PLANS, type UserPlan } from '../../../policy/plans.js';
import type { Caller } from '../../../policy/caller.js';
import { isRefusedBy, reachesOrganization } from '../../../policy/reach.js';
import { ApiKeyFields } from '../../api-keys/public/api-key.response.dto.js';
import { CurrentSession } from '../../api-keys/public/session.response.dto.js';
import { csrfToken } from '../../../platform/http/requests/session-cookie.js';
import { present } from '../../../contract/present.js';
import { presentQuotas, QuotaSet } from '../../quotas/public/quotas.response.dto.js';
import { Person } from '../../users/public/person.dto.js';
import type { Quotas } from '../../quotas/quotas.service.js';

export class CurrentApiKey extends OmitType(ApiKeyFields, ['created_at', 'addresses']) {
  @StringListProperty(
    'Ids of the organizations of the user that the key would reach if it did not work longer than their `api_key_max_days` permit',
    { example: [] },
  )
  refused_by: readonly string[];
}

/** People, and service accounts of organizations. */
const USER_KINDS = ['person', 'service'] as const;

export class CurrentUser extends Person {
  @EnumProperty('`service`: a service account of an organization, whose email address is a placeholder', {
    values: USER_KINDS,
    name: 'UserKind',
    example: 'person',
  })
  kind: (typeof USER_KINDS)[number];

  @EnumProperty(
    "Personal plan. It applies to personal recordings; an organization's plan applies to its recordings",
    { values: USER_PLANS, name: 'UserPlan', example: 'PRO' },
  )
  plan: UserPlan;

  @BooleanProperty(
    'Whether the user is an operator, who can manage all users and the plans of organizations, and the API key permits it',
    { example: false },
  )
  is_operator: boolean;

  @NestedProperty(
    () => CurrentApiKey,
    'The API key of this request, or the connection of an OAuth client, with the prefix `oauth`; null with a session',
    { nullable: true },
  )
  api_key: CurrentApiKey | null;

  @NestedProperty(() => CurrentSession, 'The session of this request; null with an API key', {
    nullable: true,
  })
  session: CurrentSession | null;

  @NestedProperty(
    () => QuotaSet,
    'Use and limits of the personal plan, for personal recordings; an API key that does not reach these sees no use',
  )
  quotas: QuotaSet;
}

/** `credential`: the API key or the token of the session. */
export const presentMe = (
  { apiKey, session, ...caller }: Caller,
  quotas: Quotas,
  credential: string,
): CurrentUser =>
  present(CurrentUser, {
    ...caller,
    kind: caller.serviceOf === null ? 'person' : 'service',
    isOperator: caller.operator,
    session: session && {
      ...session,
      id: apiKey.id,
      refusedBy: apiKey.refusedBy,
      csrfToken: csrfToken(credential),
    },
    apiKey: session
      ? null
      : {
          ...apiKey,
          organizations: apiKey.organizationIds?.filter((id) => reachesOrganization(apiKey, id)) ?? null,
          folders: apiKey.folderIds,
          refusedBy: apiKey.refusedBy.filter((id) => isRefusedBy(apiKey, id)),
        },
    quotas: presentQuotas(quotas),
  });
