import { z } from '../../../platform/zod.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { objectOf, oneOf, timestamp, trimmedText, trueOrFalse } from '../../../platform/http/body-schemas.js';
import { ChoiceField, IdParameter, TextField } from '../../../platform/http/fields.js';
import { PLANS, SUBSCRIPTION_STATUSES } from '../../../policy/plans.js';
import { ORGANIZATION_FEATURES } from './feature-flags.schema.js';

export class CreateOrganizationDto {
  @TextField({
    ...LIMITS.name,
    trim: true,
    description: 'Name, 1 to 200 characters after trimming',
    example: 'Acme',
  })
  name: string;
}

const FIELDS = ['name', 'features', 'members_may_take_recordings', 'plan', 'subscription'] as const;

const subscription = z
  .strictObject(
    {
      status: oneOf(SUBSCRIPTION_STATUSES).optional(),
      ends_at: timestamp().nullable().optional().meta({ description: 'When it ends; null: no end date' }),
    },
    { error: objectOf(['status', 'ends_at']) },
  )
  .refine((given) => Object.keys(given).length > 0, { error: 'must have at least one of status, ends_at' });

export const UPDATE_ORGANIZATION = z
  .strictObject(
    {
      name: trimmedText(LIMITS.name)
        .optional()
        .meta({ description: 'New name, 1 to 200 characters after trimming. Requires `OWNER`' }),
      features: ORGANIZATION_FEATURES.optional().meta({
        description: 'Feature flags; omitted flags are left unchanged. Requires `OWNER`',
      }),
      members_may_take_recordings: trueOrFalse().optional().meta({
        description:
          'Whether every member may move their own recordings out of the organization; otherwise only `OWNER` and `ADMIN` may. Requires `OWNER`',
      }),
      plan: oneOf(PLANS).optional().meta({ description: 'Operators only' }),
      subscription: subscription
        .optional()
        .meta({ description: 'Subscription to the plan; omitted fields are left unchanged. Operators only' }),
    },
    { error: objectOf(FIELDS) },
  )
  .refine((given) => Object.keys(given).length > 0, {
    error: `must have at least one of ${FIELDS.join(', ')}`,
  })
  .meta({ title: 'UpdateOrganizationRequest' });
export type UpdateOrganization = z.output<typeof UPDATE_ORGANIZATION>;

export const UPDATE_ORGANIZATION_BODIES = {
  name: { summary: 'Rename it', value: { name: 'Acme Corporation' } },
  features: { summary: 'Turn off questions', value: { features: { questions: false } } },
  plan: {
    summary: 'Change the plan (operators)',
    value: { plan: 'ENTERPRISE', subscription: { status: 'active', ends_at: '2027-12-31' } },
  },
};

export class DeleteOrganizationDto {
  @ChoiceField({
    values: ['delete'],
    name: 'RecordingsOfDeletedOrganization',
    optional: true,
    description:
      'Also deletes its recordings. Without this parameter, an organization that has recordings cannot be deleted (409)',
    example: 'delete',
  })
  recordings?: 'delete';
}

export class OfferTransferDto {
  @IdParameter({
    description: 'The member who is to become `OWNER`',
    example: EXAMPLE_IDS.member,
  })
  user_id: string;
}
