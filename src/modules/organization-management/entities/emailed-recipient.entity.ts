import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/entities/user.entity.js';

/** How many emails a user has caused to one recipient today; see `EmailAllowanceService`. */
@Entity('emailed_recipients')
export class EmailedRecipient {
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'emailed_recipients_pkey' })
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'emailed_recipients_user_id_fkey' })
  user?: Relation<User>;

  /** Email address in lower case. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'emailed_recipients_pkey' })
  recipient: string;

  /** In UTC. */
  @Column('date')
  day: string;

  @Column('integer')
  emails: number;
}
