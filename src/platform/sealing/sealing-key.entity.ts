import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that values of this database are sealed with; the key itself is kept outside. */
@Entity('sealing_keys')
export class SealingKey {
  /** Derived from the key. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'sealing_keys_pkey' })
  id: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
