import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ApiKey } from './api-key.entity.js';

/** The requests with an API key on one day in UTC. Kept for as long as the limit says. */
@Entity('api_key_uses')
export class ApiKeyUse {
  @PrimaryColumn('uuid', { name: 'api_key_id', primaryKeyConstraintName: 'api_key_uses_pkey' })
  apiKeyId: string;

  @ManyToOne(() => ApiKey, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'api_key_id', foreignKeyConstraintName: 'api_key_uses_api_key_id_fkey' })
  apiKey?: Relation<ApiKey>;

  /** Such as `2026-01-31`. */
  @PrimaryColumn('date', { primaryKeyConstraintName: 'api_key_uses_pkey' })
  day: string;

  /** As a string, because it is a bigint. */
  @Column('bigint')
  requests: string;
}
