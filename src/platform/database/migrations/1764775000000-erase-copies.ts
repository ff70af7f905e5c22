import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What erasing the copies of personal details needs: indexes to find them by, and counters that do not contain any. */
export class EraseCopies1764775000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  /** The addresses that emails were counted for cannot be restored: counting begins anew. */
  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const UP = [
  `CREATE INDEX webhook_deliveries_organization_idx ON webhook_deliveries (organization_id, user_id)
     WHERE organization_id IS NOT NULL`,
  // Whether something has been deleted since; few rows of the log are about that.
  `CREATE INDEX change_log_deleted_idx ON change_log (target_id, at)
     WHERE type IN ('user.deleted', 'member.removed', 'recording.deleted', 'organization.deleted')`,
  `ALTER TABLE emailed_recipients ALTER COLUMN recipient TYPE bytea
     USING sha256(convert_to(user_id::text || recipient, 'UTF8'))`,
  // Jobs of earlier releases, whose payloads have the email addresses of deleted users.
  `DO $$ BEGIN
     IF to_regnamespace('graphile_worker') IS NOT NULL THEN
       UPDATE personal_details d SET value = NULL, salt = NULL
       FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
       WHERE t.identifier = 'audit.erase' AND d.value IS NOT NULL
         AND (d.user_id = (j.payload ->> 'id')::uuid OR (d.kind = 'email' AND lower(d.value) = lower(j.payload ->> 'email')));
       DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
       WHERE t.id = j.task_id AND t.identifier IN ('audit.erase', 'webhooks.forget');
     END IF;
   END $$`,
];

const DOWN = [
  `DELETE FROM emailed_recipients`,
  `ALTER TABLE emailed_recipients ALTER COLUMN recipient TYPE text USING encode(recipient, 'hex')`,
  `DROP INDEX change_log_deleted_idx`,
  `DROP INDEX webhook_deliveries_organization_idx`,
];
