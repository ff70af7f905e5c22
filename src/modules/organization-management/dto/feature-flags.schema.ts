import { flags } from '../../../platform/http/body-schemas.js';
import type { MemberFlags } from '../../../policy/management.js';
import { FEATURES } from '../../../policy/plans.js';

/** Feature flags of an organization, those that are to change. */
export const ORGANIZATION_FEATURES = flags(FEATURES).meta({
  description: 'Feature flags; omitted flags are left unchanged',
});

/** The seven of a member. */
export const MEMBER_FEATURES = flags([...FEATURES, 'view_all_recordings', 'view_folder_recordings'] as const)
  .transform(
    ({
      view_all_recordings: viewAllRecordings,
      view_folder_recordings: viewFolderRecordings,
      ...features
    }): Partial<MemberFlags> => ({
      ...features,
      ...(viewAllRecordings === undefined ? {} : { viewAllRecordings }),
      ...(viewFolderRecordings === undefined ? {} : { viewFolderRecordings }),
    }),
  )
  .meta({ description: 'Feature flags of the member; omitted flags are left unchanged' });
