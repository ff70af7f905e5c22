import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../platform/clock.js';
import { DomainError } from '../../contract/domain-error.js';
import { counted } from '../../platform/text.js';
import { ErasureService } from '../erasure/erasure.service.js';
import { RecordingPurgeService } from '../media/recording-purge.service.js';
import { OrganizationMember } from '../organizations/entities/organization-member.entity.js';
import { Organization } from '../organizations/entities/organization.entity.js';

const JOB = 'organizations.delete';
const BATCH = 200;

interface Deletion {
  readonly organizationId: string;
}

/** As when a member leaves: deleting a recording deletes its share links. */
const LOCK_SHARED = `
  SELECT FROM recordings WHERE id IN (SELECT recording_id FROM share_links WHERE organization_id = $1)
  ORDER BY id FOR NO KEY UPDATE`;

const COUNT = 'SELECT count(*)::int AS count FROM recordings WHERE organization_id = $1';

const DELETE_BATCH = `
  WITH batch AS (SELECT id FROM recordings WHERE organization_id = $1 LIMIT ${BATCH} FOR UPDATE),
  gone AS (DELETE FROM recordings r USING batch WHERE r.id = batch.id RETURNING r.id)
  SELECT id FROM gone`;

/**
 * Deletes organizations, which may hold more recordings than one request can delete. Its memberships end at once, and with
 * them all access to it; a job then deletes its recordings and the organization.
 */
@Injectable()
export class OrganizationDeletionService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly purges: RecordingPurgeService,
    private readonly erasure: ErasureService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.purges.handle<Deletion>(JOB, {
      batch: DELETE_BATCH,
      parameters: ({ organizationId }) => [organizationId],
      finish: ({ organizationId }) =>
        this.dataSource.transaction((manager) => this.finish(manager, organizationId)),
    });
  }

  /** In a transaction that has locked the organization. */
  async begin(manager: EntityManager, id: string, withRecordings: boolean): Promise<number> {
    await manager.query(LOCK_SHARED, [id]);
    // Before counting: a transaction that was adding a recording has ended before its member is removed.
    await manager.delete(OrganizationMember, { organizationId: id });
    const [row]: { count: number }[] = await manager.query(COUNT, [id]);
    const count = row?.count ?? 0;
    if (count > 0 && !withRecordings) {
      throw new DomainError(
        'CONFLICT',
        `The organization has ${counted(count, 'recording')}. Move its recordings elsewhere, or send recordings=delete to delete them too.`,
      );
    }
    await manager.update(Organization, { id }, { deletedAt: this.clock.now() });
    await this.purges.begin<Deletion>(manager, JOB, { organizationId: id });
    await this.erasure.begin(manager, { of: 'organization', organizationId: id });
    return count;
  }

  /** Its webhooks go with it, and what was being sent when the deletion began has been noted. */
  private async finish(manager: EntityManager, id: string): Promise<void> {
    await manager.delete(Organization, { id });
    await this.erasure.begin(manager, { of: 'organization', organizationId: id });
  }
}
