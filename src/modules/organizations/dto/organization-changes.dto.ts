import { LIMITS } from '../../../contract/limits.js';
import { BooleanField, ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { NestedField } from '../../../platform/http/fields/list-fields.js';
import { IntegerField } from '../../../platform/http/fields/number-fields.js';
import { TextField } from '../../../platform/http/fields/text-fields.js';
import { TimestampField } from '../../../platform/http/fields/time-fields.js';
import { AtLeastOneField } from '../../../platform/http/fields/request-field.js';
import { parseTimestamp } from '../../../platform/clock/timestamps.js';
import { PLANS, SUBSCRIPTION_STATUSES, type Plan, type SubscriptionStatus } from '../../../policy/plans.js';
import { OrganizationFeaturesDto } from '../public/feature-flags.dto.js';

export class CreateOrganizationDto {
  @TextField('Name, 1 to 200 characters after trimming', { ...LIMITS.name, trim: true, example: 'Acme' })
  name: string;
}

@AtLeastOneField()
export class SubscriptionDto {
  @ChoiceField('Its status', { values: SUBSCRIPTION_STATUSES, optional: true, example: 'active' })
  status?: SubscriptionStatus;

  @TimestampField('When it ends; null: no end date', {
    optional: true,
    nullable: true,
    example: '2027-12-31',
  })
  ends_at?: string | null;
}

export function readSubscription({ status, ends_at: endsAt }: SubscriptionDto) {
  return { status, endsAt: typeof endsAt === 'string' ? parseTimestamp(endsAt)!.date : endsAt };
}

@AtLeastOneField()
export class UpdateOrganizationDto {
  @TextField('New name, 1 to 200 characters after trimming. Requires `OWNER`', {
    ...LIMITS.name,
    trim: true,
    optional: true,
    example: 'Acme Corporation',
  })
  name?: string;

  @NestedField(
    () => OrganizationFeaturesDto,
    'Feature flags; omitted flags are left unchanged. Requires `OWNER`',
    { optional: true },
  )
  features?: OrganizationFeaturesDto;

  @BooleanField(
    'Whether every member may move their own recordings out of the organization; otherwise only `OWNER` and `ADMIN` may. Requires `OWNER`',
    { optional: true, example: true },
  )
  members_may_take_recordings?: boolean;

  @IntegerField(
    'In how many days after their creation API keys must expire to be accepted; others do not reach the organization. Null: keys may work for any time. 409 if the API key of this request would not be accepted. Requires `OWNER`',
    { ...LIMITS.apiKeyMaxDays, optional: true, nullable: true, example: 90 },
  )
  api_key_max_days?: number | null;

  @ChoiceField('Operators only', { values: PLANS, optional: true, example: 'ENTERPRISE' })
  plan?: Plan;

  @NestedField(
    () => SubscriptionDto,
    'Subscription to the plan; omitted fields are left unchanged. Operators only',
    { optional: true },
  )
  subscription?: SubscriptionDto;
}

export const UPDATE_ORGANIZATION_BODIES = {
  name: { summary: 'Rename it', value: { name: 'Acme Corporation' } },
  features: { summary: 'Turn off questions', value: { features: { questions: false } } },
  keys: { summary: 'Demand that API keys expire within 90 days', value: { api_key_max_days: 90 } },
  plan: {
    summary: 'Change the plan (operators)',
    value: { plan: 'ENTERPRISE', subscription: { status: 'active', ends_at: '2027-12-31' } },
  },
};

export class DeleteOrganizationDto {
  @ChoiceField(
    'Also deletes its recordings. Without this parameter, an organization that has recordings cannot be deleted (409)',
    { values: ['delete'], name: 'RecordingsOfDeletedOrganization', optional: true, example: 'delete' },
  )
  recordings?: 'delete';
}
