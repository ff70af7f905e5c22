import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { OrganizationRule } from '../../../policy/retention.js';
import { Organization } from '../../organizations/entities/organization.entity.js';

/** The retention rules of an organization that has set some. */
@Entity('organization_retention')
export class OrganizationRetention {
  @ForeignKey(() => Organization, {
    name: 'organization_retention_organization_id_fkey',
    onDelete: 'CASCADE',
  })
  @PrimaryColumn('uuid', {
    name: 'organization_id',
    primaryKeyConstraintName: 'organization_retention_pkey',
  })
  organizationId: string;

  /** How long before a removal it is announced, and before a new rule is in force. */
  @Column('integer', { name: 'notice_days' })
  noticeDays: number;

  @Column('jsonb')
  rules: OrganizationRule[];
}
