import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ApiKey } from './api-key.entity.js';

/** The requests with an API key on one day in UTC. Kept for as long as the limit says. */
@Entity('api_key_uses')
export class ApiKeyUse {
  @ForeignKey(() => ApiKey, { name: 'api_key_uses_api_key_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'api_key_id', primaryKeyConstraintName: 'api_key_uses_pkey' })
  apiKeyId: string;

  /** Such as `2026-01-31`. */
  @PrimaryColumn('date', { primaryKeyConstraintName: 'api_key_uses_pkey' })
  day: string;

  /** As a string, because it is a bigint. */
  @Column('bigint')
  requests: string;
}
