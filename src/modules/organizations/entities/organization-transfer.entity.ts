import {
  Check,
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { OrganizationMember } from './organization-member.entity.js';
import { Organization } from './organization.entity.js';
import { sameOrganization } from './membership.columns.js';

/** An offer of the ownership of an organization to one of its members. Ends with the membership of either. */
@Entity('organization_transfers')
@Check('organization_transfers_users_check', 'from_user_id <> to_user_id')
export class OrganizationTransfer {
  @PrimaryColumn('uuid', {
    name: 'organization_id',
    primaryKeyConstraintName: 'organization_transfers_pkey',
  })
  organizationId: string;

  @OneToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'organization_id',
    foreignKeyConstraintName: 'organization_transfers_organization_id_fkey',
  })
  organization?: Relation<Organization>;

  @Column('uuid', { name: 'from_user_id' })
  fromUserId: string;

  @ManyToOne(() => OrganizationMember, { onDelete: 'CASCADE' })
  @JoinColumn(sameOrganization('organization_transfers_from_fkey', 'from_user_id', 'userId'))
  from?: Relation<OrganizationMember>;

  @Column('uuid', { name: 'to_user_id' })
  toUserId: string;

  @ManyToOne(() => OrganizationMember, { onDelete: 'CASCADE' })
  @JoinColumn(sameOrganization('organization_transfers_to_fkey', 'to_user_id', 'userId'))
  to?: Relation<OrganizationMember>;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
