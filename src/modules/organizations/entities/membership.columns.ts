import { Column, type JoinColumnOptions } from 'typeorm';
import type { MemberFlags } from '../../../policy/management.js';
import { FEATURES, type FeatureFlags } from '../../../policy/plans.js';
import type { Role } from '../../../policy/roles.js';

/** The five feature flags that both organizations and members have; on by default. */
export class FeatureFlagColumns implements FeatureFlags {
  @Column('boolean', { name: 'feature_downloads', default: true })
  downloads: boolean;

  @Column('boolean', { name: 'feature_sharing', default: true })
  sharing: boolean;

  @Column('boolean', { name: 'feature_transcription', default: true })
  transcription: boolean;

  @Column('boolean', { name: 'feature_summaries', default: true })
  summaries: boolean;

  @Column('boolean', { name: 'feature_questions', default: true })
  questions: boolean;
}

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

/** Returns the columns of the given flags. TypeORM leaves others as they are, and new ones at their default. */
export function membershipColumns({
  viewAllRecordings,
  viewFolderRecordings,
  ...given
}: Partial<MemberFlags> = {}) {
  const features = FEATURES.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));
  return { features: Object.fromEntries(features) as object, viewAllRecordings, viewFolderRecordings };
}

/** Returns the columns of a foreign key that also ensures that both rows belong to the same organization. */
export const sameOrganization = (
  foreignKeyConstraintName: string,
  name: string,
  referencedColumnName: 'id' | 'userId',
): JoinColumnOptions[] => [
  { name: 'organization_id', referencedColumnName: 'organizationId', foreignKeyConstraintName },
  { name, referencedColumnName, foreignKeyConstraintName },
];
