import type { JoinColumnOptions } from 'typeorm';

/** Returns the columns of a foreign key that also ensures that both rows belong to the same organization. */
export const sameOrganization = (
  foreignKeyConstraintName: string,
  name: string,
  referencedColumnName: 'id' | 'userId',
): JoinColumnOptions[] => [
  { name: 'organization_id', referencedColumnName: 'organizationId', foreignKeyConstraintName },
  { name, referencedColumnName, foreignKeyConstraintName },
];
