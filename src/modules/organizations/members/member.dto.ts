import { ApiSchema } from '@nestjs/swagger';
import {
  EnumProperty,
  NestedProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { ROLES, type Role } from '../../../policy/roles.js';
import { Person } from '../../users/public/person.dto.js';
import { DISABLED_WEBHOOKS, PresentedDisabledWebhook } from '../public/departure.response.dto.js';
import { MemberFeatures, MemberFeaturesDto } from '../public/feature-flags.dto.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { NestedField } from '../../../platform/http/fields/list-fields.js';
import { IdParameter } from '../../../platform/http/fields/text-fields.js';
import { AtLeastOneField } from '../../../platform/http/fields/request-field.js';

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

@ApiSchema({ name: 'PutMember' })
export class PresentedPutMember extends PresentedUpdatedMember {}

@AtLeastOneField()
export class UpdateMemberDto {
  @ChoiceField('New role', { values: ROLES, optional: true, example: 'EDITOR' })
  role?: Role;

  @NestedField(() => MemberFeaturesDto, 'Feature flags of the member; omitted flags are left unchanged', {
    optional: true,
  })
  features?: MemberFeaturesDto;
}

export class PutMemberDto {
  @ChoiceField('Their role', { values: ROLES, example: 'EDITOR' })
  role: Role;

  @NestedField(
    () => MemberFeaturesDto,
    'Feature flags; omitted ones stay, for a new member as the defaults are',
    { optional: true },
  )
  features?: MemberFeaturesDto;
}

export const UPDATE_MEMBER_BODIES = {
  role: { summary: 'Change the role', value: { role: 'EDITOR' } },
  features: {
    summary: 'Let the member see all recordings, but not download them',
    value: { features: { view_all_recordings: true, downloads: false } },
  },
};

export class RemoveMemberDto {
  @IdParameter(
    'Member who takes over their recordings; defaults to the caller, or to an `OWNER` if the caller is leaving',
    { optional: true, example: EXAMPLE_IDS.member },
  )
  new_owner?: string;

  @ChoiceField(
    'Makes the caller responsible for the webhooks of the organization that the member was responsible for. Without this parameter, they are disabled',
    { values: ['take_over'], name: 'WebhooksOfRemovedMember', optional: true, example: 'take_over' },
  )
  webhooks?: 'take_over';
}
