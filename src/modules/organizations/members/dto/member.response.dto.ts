import { ApiSchema } from '@nestjs/swagger';
import {
  EnumProperty,
  NestedProperty,
  TimestampProperty,
} from '../../../../platform/openapi/field.decorator.js';
import { ROLES, type Role } from '../../../../policy/roles.js';
import { Person } from '../../../users/public/person.dto.js';
import {
  DISABLED_WEBHOOKS,
  PresentedDisabledWebhook,
  presentDisabledWebhook,
} from '../../public/departure.response.dto.js';
import { MemberFeatures, presentFlags } from '../../public/feature-flags.response.dto.js';
import type { Member } from '../members.queries.js';
import type { UpdatedMember } from '../members.service.js';
import { present } from '../../../../contract/present.js';

@ApiSchema({ name: 'Member' })
export class ListedMember extends Person {
  @EnumProperty("The member's role", { values: ROLES, name: 'OrganizationRole', example: 'OWNER' })
  role: Role;

  @NestedProperty(
    () => MemberFeatures,
    'Feature flags of the member, for `OWNER`, `ADMIN` and the member; null for others. A feature must also be part of the plan and enabled for the organization',
    { nullable: true },
  )
  features: MemberFeatures | null;

  @TimestampProperty('When they became a member')
  joined_at: string;
}

@ApiSchema({ name: 'UpdatedMember' })
export class PresentedUpdatedMember extends ListedMember {
  @NestedProperty(() => [PresentedDisabledWebhook], DISABLED_WEBHOOKS)
  disabled_webhooks: PresentedDisabledWebhook[];
}

export const presentMember = (member: Member): ListedMember =>
  present(ListedMember, { ...member, features: member.flags && presentFlags(member.flags) });

export const presentUpdatedMember = ({
  member,
  disabledWebhooks,
}: UpdatedMember): PresentedUpdatedMember => ({
  ...presentMember(member),
  disabled_webhooks: disabledWebhooks.map(presentDisabledWebhook),
});
