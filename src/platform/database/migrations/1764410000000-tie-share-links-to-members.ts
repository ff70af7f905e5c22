import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A share link ends with its creator: with the user, and for an organization's recording with their membership. Links
 * whose creator is gone already end here.
 */
export class TieShareLinksToMembers1764410000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  /** Links that have ended stay ended. */
  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const UP = [
  `ALTER TABLE share_links ADD COLUMN organization_id uuid`,
  `UPDATE share_links l SET organization_id = r.organization_id
    FROM recordings r WHERE r.id = l.recording_id AND r.organization_id IS NOT NULL`,
  `DELETE FROM share_links l
    WHERE l.created_by IS NULL OR l.organization_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM organization_members m WHERE m.organization_id = l.organization_id AND m.user_id = l.created_by)`,
  `ALTER TABLE share_links
    ALTER COLUMN created_by SET NOT NULL,
    DROP CONSTRAINT share_links_created_by_fkey,
    ADD CONSTRAINT share_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES users ON DELETE CASCADE,
    ADD CONSTRAINT share_links_member_fkey FOREIGN KEY (organization_id, created_by)
      REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE`,
];

const DOWN = [
  `ALTER TABLE share_links
    DROP CONSTRAINT share_links_member_fkey,
    DROP CONSTRAINT share_links_created_by_fkey,
    ADD CONSTRAINT share_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES users ON DELETE SET NULL,
    ALTER COLUMN created_by DROP NOT NULL,
    DROP COLUMN organization_id`,
];
