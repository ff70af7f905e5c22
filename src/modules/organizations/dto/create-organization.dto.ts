import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { ExternalIdField, MetadataField, type Metadata } from '../../../contract/external-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { IdParameter, TextField } from '../../../platform/http/fields/text-fields.js';
import { PLANS, type Plan } from '../../../policy/plans.js';

export class CreateOrganizationDto {
  @TextField('Name', { ...LIMITS.name, trim: true, example: 'Acme' })
  name: string;

  @ExternalIdField('among the organizations of the same `OWNER`')
  external_id?: string;

  @MetadataField()
  metadata?: Metadata;

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
