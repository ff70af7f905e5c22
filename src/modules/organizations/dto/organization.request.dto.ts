import { PLANS, SUBSCRIPTION_STATUSES, type Plan, type SubscriptionStatus } from '../../../policy/plans.js';
import { BrandingDto } from './branding.dto.js';
import { OrganizationFeaturesDto } from '../public/feature-flags.dto.js';
import { ExternalChanges, ExternalFields } from '../../../contract/external-ids.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { BooleanField, ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { ListField, NestedField } from '../../../platform/http/fields/list-fields.js';
import { IntegerField } from '../../../platform/http/fields/number-fields.js';
import { IdParameter, TextField } from '../../../platform/http/fields/text-fields.js';
import { TimestampField } from '../../../platform/http/fields/time-fields.js';
import { AtLeastOneField } from '../../../platform/http/fields/request-field.js';
import { isLine } from '../../../lib/text.js';
import { parseTimestamp } from '../../../platform/clock/timestamps.js';

const UNIQUE = 'among the organizations of the same `OWNER`';

export class CreateOrganizationDto extends ExternalFields(UNIQUE) {
  @TextField('Name', { ...LIMITS.name, trim: true, example: 'Acme' })
  name: string;

  @IdParameter('The user who becomes its `OWNER`; by default, the caller. Operators only', {
    optional: true,
    example: EXAMPLE_IDS.member,
  })
  owner_id?: string;

  @ChoiceField('Its plan. Operators only', { values: PLANS, optional: true, example: 'PRO' })
  plan?: Plan;
}

export const CREATE_ORGANIZATION_BODIES = {
  own: { summary: 'One of your own', value: { name: 'Acme' } },
  customer: {
    summary: 'One of a customer, by their external id (operators)',
    value: { name: 'Acme', owner_id: 'ext:CRM-4711', external_id: 'CRM-ACME', plan: 'PRO' },
  },
};

@AtLeastOneField()
export class SubscriptionDto {
  @ChoiceField('Its status', { values: SUBSCRIPTION_STATUSES, optional: true, example: 'active' })
  status?: SubscriptionStatus;

  @TimestampField('When it ends; null: never', { optional: true, nullable: true, example: '2027-12-31' })
  ends_at?: string | null;
}

export function readSubscription({ status, ends_at: endsAt }: SubscriptionDto) {
  return { status, endsAt: typeof endsAt === 'string' ? parseTimestamp(endsAt)!.date : endsAt };
}

@AtLeastOneField()
export class UpdateOrganizationDto extends ExternalChanges(`${UNIQUE}. Requires \`OWNER\``) {
  @TextField('New name. Requires `OWNER`', { ...LIMITS.name, trim: true, optional: true, example: 'Acme Co' })
  name?: string;

  @NestedField(() => OrganizationFeaturesDto, 'Omitted flags stay. Requires `OWNER`', { optional: true })
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

  @IntegerField(
    'For how many days recordings that are deleted from now on can be restored; 0: they are deleted at once. Null: as the service has it (`BIN_DAYS`). Requires `OWNER`',
    { ...LIMITS.binDays, optional: true, nullable: true, example: 30 },
  )
  bin_days?: number | null;

  @BooleanField(
    'Whether the voices of speakers are kept, so that those who have been named are suggested in later meetings. `false` deletes all voices that are kept. Voices are biometric data: people may have to be asked first. Requires `OWNER`',
    { optional: true, example: true },
  )
  remember_voices?: boolean;

  @TextField(
    'Name of an identity provider of the service. Sessions that began otherwise, and API keys that were not made in such a session or with such a key, no longer reach the organization. Null: any. 409 unless this request is made with such a session or key. Requires `OWNER`',
    { ...LIMITS.providerName, optional: true, nullable: true, example: 'acme' },
  )
  sso_provider?: string | null;

  @ListField(
    'The `client_id` of the OAuth clients that reach the organization for members who have connected them. Null: any. Requires `OWNER`',
    {
      max: LIMITS.oauthClients,
      isItem: (id) => typeof id === 'string' && isLine(id, LIMITS.clientId),
      item: 'must be a client_id: a UUID, or the URL of the metadata of a client',
      expects: () => `must be a list of at most ${LIMITS.oauthClients} client ids, or null`,
      optional: true,
      nullable: true,
      example: ['https://assistant.example/client.json'],
    },
  )
  oauth_clients?: string[] | null;

  @NestedField(() => BrandingDto, 'What its share pages look like. Requires `OWNER`', { optional: true })
  branding?: BrandingDto;

  @ChoiceField('Operators only', { values: PLANS, optional: true, example: 'ENTERPRISE' })
  plan?: Plan;

  @NestedField(() => SubscriptionDto, 'Omitted fields are left unchanged. Operators only', { optional: true })
  subscription?: SubscriptionDto;
}

export const UPDATE_ORGANIZATION_BODIES = {
  name: { summary: 'Rename it', value: { name: 'Acme Corporation' } },
  features: { summary: 'Turn off questions', value: { features: { questions: false } } },
  keys: { summary: 'Demand that API keys expire within 90 days', value: { api_key_max_days: 90 } },
  bin: { summary: 'Let deleted recordings be restored for 30 days', value: { bin_days: 30 } },
  voices: { summary: 'Remember the voices of speakers', value: { remember_voices: true } },
  sso: { summary: 'Demand an identity provider', value: { sso_provider: 'acme' } },
  clients: { summary: 'Let in one app', value: { oauth_clients: ['https://app.example/client.json'] } },
  branding: { summary: 'Choose the color of share pages', value: { branding: { accent: '#7a1fa2' } } },
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
