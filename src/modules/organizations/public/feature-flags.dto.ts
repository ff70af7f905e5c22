import { AtLeastOneField } from '../../../platform/http/fields/request-field.js';
import { BooleanField } from '../../../platform/http/fields/choice-fields.js';
import type { MemberFlags } from '../../../policy/management.js';
import type { FeatureFlags } from '../../../policy/plans.js';

const flag = (description: string): PropertyDecorator =>
  BooleanField(description, { optional: true, example: true });

/** Feature flags of an organization, those that are to change. */
@AtLeastOneField()
export class OrganizationFeaturesDto {
  @flag('Whether recordings can be downloaded')
  downloads?: boolean;

  @flag('Whether recordings can be shared by link')
  sharing?: boolean;

  @flag('Whether recordings have transcripts')
  transcription?: boolean;

  @flag('Whether recordings have summaries')
  summaries?: boolean;

  @flag('Whether questions can be asked')
  questions?: boolean;
}

/** The seven of a member. */
@AtLeastOneField()
export class MemberFeaturesDto extends OrganizationFeaturesDto {
  @flag('Whether the member sees all recordings')
  view_all_recordings?: boolean;

  @flag('Whether the member sees the recordings in open folders')
  view_folder_recordings?: boolean;
}

export const organizationFlags = (features: OrganizationFeaturesDto): Partial<FeatureFlags> =>
  Object.fromEntries(Object.entries(features).filter(([, value]) => value !== undefined));

export const memberFlags = ({
  view_all_recordings: viewAllRecordings,
  view_folder_recordings: viewFolderRecordings,
  ...features
}: MemberFeaturesDto): Partial<MemberFlags> => ({ ...features, viewAllRecordings, viewFolderRecordings });
