import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Organization } from '../../organizations/entities/organization.entity.js';

/** A client that was registered here. Others say who they are at the URL that is their `client_id`. */
@Entity('oauth_clients')
@Index('oauth_clients_dynamic_idx', ['createdAt'], { where: 'dynamic' })
export class OAuthClient {
  /** Its `client_id`. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'oauth_clients_pkey' })
  id: string;

  /** The organization whose OWNER registered it; null: an operator did, or it did so itself. */
  @ForeignKey(() => Organization, { name: 'oauth_clients_organization_id_fkey', onDelete: 'CASCADE' })
  @Index('oauth_clients_organization_id_idx')
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  /** Whether it has registered itself (RFC 7591). */
  @Column('boolean')
  dynamic: boolean;

  @Column('text')
  name: string;

  /** As RFC 7591 names them, without the secret. */
  @Column('jsonb')
  metadata: object;

  /** SHA-256; null: a public client. */
  @Column('bytea', { name: 'secret_hash', nullable: true })
  secretHash: Buffer | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
