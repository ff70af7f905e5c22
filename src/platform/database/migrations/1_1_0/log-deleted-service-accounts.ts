import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LOG_OF_SERVICE_ACCOUNTS } from './create-service-accounts.js';

/** The user is deleted after the membership, so their name is still there. */
const WITH_NAME = LOG_OF_SERVICE_ACCOUNTS.replace(
  'INSERT INTO change_log',
  `IF change = 'service_account.deleted' THEN
      details := details || jsonb_build_object('name', (SELECT name FROM users WHERE id = concerned));
    END IF;
    INSERT INTO change_log`,
);

/** What service accounts did can be told apart after they were deleted: the change log keeps their names. */
export class LogDeletedServiceAccounts1796342400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(WITH_NAME);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(LOG_OF_SERVICE_ACCOUNTS);
  }
}
