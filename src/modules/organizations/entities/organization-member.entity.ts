import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { User } from '../../users/entities/user.entity.js';
import { MembershipColumns } from './membership.columns.js';
import { Organization } from './organization.entity.js';

/** A user's membership in an organization: role, feature flags, and what they see besides their own recordings. */
@Entity('organization_members')
@Check('organization_members_role_check', `role IN ('OWNER', 'ADMIN', 'EDITOR', 'VIEWER')`)
@Index('organization_members_see_all_idx', ['organizationId', 'userId'], {
  where: `role IN ('OWNER', 'ADMIN') OR view_all_recordings`,
})
export class OrganizationMember extends MembershipColumns {
  @ForeignKey(() => Organization, { name: 'organization_members_organization_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', {
    name: 'organization_id',
    primaryKeyConstraintName: 'organization_members_pkey',
  })
  organizationId: string;

  @Index('organization_members_user_id_idx')
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'organization_members_pkey' })
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'organization_members_user_id_fkey' })
  user?: Relation<User>;

  /** The identity provider or directory that made them a member, and can end that; null: an invitation, or another member. */
  @Column('text', { name: 'granted_by', nullable: true })
  grantedBy: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

export interface MemberId {
  readonly organizationId: string;
  readonly userId: string;
}

/** Identifies a membership in a `Map`. */
export const memberKey = ({ organizationId, userId }: MemberId): string => `${organizationId} ${userId}`;
