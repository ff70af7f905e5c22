import { REMOVALS, type Removal } from '../../../../contract/changes/change-details.js';
import { EnumProperty, IdProperty } from '../../../../platform/openapi/field.decorator.js';
import { RETENTION_SOURCES, type Retention, type RetentionSource } from '../../../../policy/retention.js';

export class AppliedRetentionRule {
  @IdProperty('Identifier of the rule of the organization; null: the installation sets it', {
    nullable: true,
  })
  id: string | null;

  @EnumProperty('What goes', { values: REMOVALS, name: 'Removal', example: 'media' })
  removes: Removal;

  @EnumProperty(
    'Who has set it: the `organization`, for all or for the `folder`; the installation, for the `plan` or for all personal recordings',
    { values: RETENTION_SOURCES, name: 'RetentionSource', example: 'organization' },
  )
  source: RetentionSource;
}

/** The fields of a recording that say how long it is kept. */
export const presentRetention = (retention: Retention | null) => ({
  retentionEndsAt: retention && retention.endsAt.toISOString(),
  retentionRule: retention && retention.rule,
});
