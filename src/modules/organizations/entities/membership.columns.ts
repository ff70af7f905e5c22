import { Column } from 'typeorm';
import type { Role } from '../../../policy/roles.js';
import { FeatureFlagColumns } from './feature-flags.embedded.js';

/** What a membership permits, also one that an invitation offers. */
export abstract class MembershipColumns {
  @Column('text')
  role: Role;

  @Column(() => FeatureFlagColumns, { prefix: false })
  features: FeatureFlagColumns;

  @Column('boolean', { name: 'view_all_recordings', default: false })
  viewAllRecordings: boolean;

  @Column('boolean', { name: 'view_folder_recordings', default: true })
  viewFolderRecordings: boolean;
}
