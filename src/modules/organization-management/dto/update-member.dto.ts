import { z } from '../../../platform/zod.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { objectOf, oneOf } from '../../../platform/http/body-schemas.js';
import { ChoiceField, IdParameter } from '../../../platform/http/fields.js';
import { ROLES } from '../../../policy/roles.js';
import { MEMBER_FEATURES } from './feature-flags.schema.js';

const FIELDS = ['role', 'features'] as const;

export const UPDATE_MEMBER = z
  .strictObject(
    { role: oneOf(ROLES).optional(), features: MEMBER_FEATURES.optional() },
    { error: objectOf(FIELDS) },
  )
  .refine((given) => Object.keys(given).length > 0, {
    error: `must have at least one of ${FIELDS.join(', ')}`,
  })
  .meta({ title: 'UpdateMemberRequest' });
export type UpdateMember = z.output<typeof UPDATE_MEMBER>;

export const UPDATE_MEMBER_BODIES = {
  role: { summary: 'Change the role', value: { role: 'EDITOR' } },
  features: {
    summary: 'Let the member see all recordings, but not download them',
    value: { features: { view_all_recordings: true, downloads: false } },
  },
};

export class RemoveMemberDto {
  @IdParameter({
    optional: true,
    description:
      'Member who takes over their recordings; defaults to the caller, or to an `OWNER` if the caller is leaving',
    example: EXAMPLE_IDS.member,
  })
  new_owner?: string;

  @ChoiceField({
    values: ['take_over'],
    name: 'WebhooksOfRemovedMember',
    optional: true,
    description:
      'Makes the caller responsible for the webhooks of the organization that the member was responsible for. Without this parameter, they are disabled',
    example: 'take_over',
  })
  webhooks?: 'take_over';
}
