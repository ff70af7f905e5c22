import type { MigrationInterface, QueryRunner } from 'typeorm';
import { logChanges } from '../../log-changes.js';
import { fieldsChanged, ofRecording } from '../1_0_0/change-triggers.js';

const logged = (dueDate: Readonly<Record<string, string>>): ReturnType<typeof logChanges> =>
  logChanges([
    {
      table: 'action_items',
      log: ofRecording('row.id'),
      changes: [
        fieldsChanged('action_item.updated', {
          text: 'OLD.text <> NEW.text',
          owner: 'OLD.owner IS DISTINCT FROM NEW.owner',
          due: 'OLD.due IS DISTINCT FROM NEW.due',
          ...dueDate,
          done: 'OLD.done <> NEW.done',
        }),
      ],
    },
  ]);
const BEFORE = logged({});
const AFTER = logged({ dueDate: 'OLD.due_date IS DISTINCT FROM NEW.due_date' });

/** The day that the words of an action item mean; of those that there are, none. */
export class AddDueDates1796347200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const statements = ['ALTER TABLE action_items ADD COLUMN due_date date', ...BEFORE.down, ...AFTER.up];
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const statements = [...AFTER.down, ...BEFORE.up, 'ALTER TABLE action_items DROP COLUMN due_date'];
    for (const statement of statements) await queryRunner.query(statement);
  }
}
