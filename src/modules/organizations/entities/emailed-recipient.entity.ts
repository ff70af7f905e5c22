import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '../../users/entities/user.entity.js';

/** How many emails a user has caused to one recipient today; see `EmailAllowanceService`. */
@Entity('emailed_recipients')
export class EmailedRecipient {
  @ForeignKey(() => User, { name: 'emailed_recipients_user_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'emailed_recipients_pkey' })
  userId: string;

  /** SHA-256 of the sender's id and the email address in lower case: counts emails without keeping the address. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'emailed_recipients_pkey' })
  recipient: Buffer;

  /** The day in UTC. */
  @Column('date')
  day: string;

  @Column('integer')
  emails: number;
}
