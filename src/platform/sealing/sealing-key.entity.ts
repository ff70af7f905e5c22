import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that values of this database are sealed with; the key itself is kept outside. */
@Entity('sealing_keys')
export class SealingKey {
  /** Derived from the key. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'sealing_keys_pkey' })
  id: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** When the operator gave it up; null unless it was lost. */
  @Column({ type: 'timestamptz', name: 'lost_at', nullable: true })
  lostAt: Date | null;
}
