import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether a recording has room for a share link, exactly also for requests at the same time, and in one round trip. A
 * statement sees the database as it was when the statement began, before it waited for a lock; those inside a `VOLATILE`
 * function each see it anew. So the count behind the lock includes every link of whoever held the lock before.
 */
export class CountShareLinksExactly1764500000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION has_room_for_share_link(
        of_recording uuid, of_permission text, is_plain boolean, most integer
      ) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$ BEGIN
        PERFORM FROM recordings WHERE id = of_recording FOR NO KEY UPDATE;
        RETURN (SELECT count(*) < most FROM share_links WHERE recording_id = of_recording)
          OR is_plain AND EXISTS (
            SELECT FROM share_links WHERE recording_id = of_recording AND permission = of_permission AND plain);
      END $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION has_room_for_share_link(uuid, text, boolean, integer)');
  }
}
