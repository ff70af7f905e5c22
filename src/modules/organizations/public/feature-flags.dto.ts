import { AtLeastOneField } from '../../../platform/http/fields/request-field.js';
import { BooleanField } from '../../../platform/http/fields/choice-fields.js';
import type { MemberFlags } from '../../../policy/management.js';
import { BooleanProperty, classOf } from '../../../platform/openapi/field.decorator.js';
import type { Feature, FeatureFlags } from '../../../policy/plans.js';

const flag = (description: string): PropertyDecorator =>
  BooleanField(description, { optional: true, example: true });

/** Feature flags of an organization, those that are to change. */
@AtLeastOneField()
export class OrganizationFeaturesDto extends classOf<Partial<Record<Feature, boolean>>>({
  downloads: flag('Whether recordings can be downloaded'),
  sharing: flag('Whether recordings can be shared by link'),
  transcription: flag('Whether recordings have transcripts'),
  summaries: flag('Whether recordings have summaries'),
  questions: flag('Whether questions can be asked'),
}) {}

/** The seven of a member. */
@AtLeastOneField()
export class MemberFeaturesDto extends OrganizationFeaturesDto {
  @flag('Whether the member sees all recordings')
  view_all_recordings?: boolean;

  @flag('Whether the member sees the recordings in open folders')
  view_folder_recordings?: boolean;
}

export const memberFlags = ({
  view_all_recordings: viewAllRecordings,
  view_folder_recordings: viewFolderRecordings,
  ...features
}: MemberFeaturesDto): Partial<MemberFlags> => ({ ...features, viewAllRecordings, viewFolderRecordings });

/** The five feature flags of an organization. */
export class OrganizationFeatures extends classOf<FeatureFlags>({
  downloads: BooleanProperty('Downloading the video', { example: true }),
  sharing: BooleanProperty('Creating share links', { example: true }),
  transcription: BooleanProperty('Transcribing, and reading transcripts', { example: true }),
  summaries: BooleanProperty('Generating and reading summaries', { example: true }),
  questions: BooleanProperty('Asking questions', { example: true }),
}) {}

/** The seven feature flags of a member. */
export class MemberFeatures extends OrganizationFeatures {
  @BooleanProperty('Seeing all recordings of the organization; `OWNER` and `ADMIN` always do', {
    example: false,
  })
  view_all_recordings: boolean;

  @BooleanProperty('Seeing the recordings in folders that are open to the member', { example: true })
  view_folder_recordings: boolean;
}
