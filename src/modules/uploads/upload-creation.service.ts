import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { IsNull, type DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../platform/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { DomainError } from '../../contract/domain-error.js';
import { isUuid, newId } from '../../platform/ids.js';
import type { Caller } from '../../policy/caller.js';
import { organizationStanding, type Plan, type SubscriptionStatus } from '../../policy/plans.js';
import { ROLE_CATALOG, type Role } from '../../policy/roles.js';
import { Recording } from '../recording-access/entities/recording.entity.js';
import { SearchIndexService } from '../search-index/search-index.service.js';
import { Upload } from './entities/upload.entity.js';
import { UploadsService } from './uploads.service.js';

export interface NewRecording {
  readonly title: string;
  readonly organizationId?: string;
  readonly folderId?: string;
  readonly startedAt?: Date;
  /** Bytes; unknown while the meeting runs. */
  readonly size?: number;
}

interface PlaceRow {
  readonly role: Role | null;
  readonly plan: Plan;
  readonly subscription_status: SubscriptionStatus;
  readonly subscription_ends_at: Date | null;
  /** Null when there is no such active folder. */
  readonly folder_open: boolean | null;
}

/** `$1` the user, `$2` the organization, `$3` the folder or null. */
const PLACE = `
  SELECT m.role, o.plan, o.subscription_status, o.subscription_ends_at,
         (SELECT NOT f.restricted OR EXISTS (
            SELECT FROM folder_members fm WHERE fm.folder_id = f.id AND fm.user_id = $1)
          FROM folders f WHERE f.id = $3 AND f.organization_id = o.id AND f.active) AS folder_open
  FROM organizations o LEFT JOIN organization_members m ON m.organization_id = o.id AND m.user_id = $1
  WHERE o.id = $2`;

/** Creates recordings that wait for their bytes. */
@Injectable()
export class UploadCreationService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly uploads: UploadsService,
    private readonly searchIndex: SearchIndexService,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Returns the id of the recording, which is that of its upload too. */
  async create(caller: Pick<Caller, 'id'>, input: NewRecording, id = newId()): Promise<string> {
    const { maxUploadSize } = this.settings;
    if (input.size !== undefined && input.size > maxUploadSize) {
      throw new DomainError('PAYLOAD_TOO_LARGE', `size: an upload has at most ${maxUploadSize} bytes`);
    }
    if (input.folderId !== undefined && input.organizationId === undefined) {
      throw new DomainError('VALIDATION_ERROR', 'folder_id: requires organization_id');
    }
    if (input.organizationId !== undefined) await this.requirePlace(caller.id, input.organizationId, input);
    await this.dataSource.transaction((manager) => this.insert(manager, caller.id, id, input));
    return id;
  }

  private async insert(
    manager: EntityManager,
    userId: string,
    id: string,
    input: NewRecording,
  ): Promise<void> {
    await this.requireRoom(manager, userId);
    const now = this.clock.now();
    await manager.insert(Recording, {
      id,
      ownerId: userId,
      organizationId: input.organizationId ?? null,
      folderId: input.folderId ?? null,
      title: input.title,
      status: 'UPLOADING',
      progress: 0,
      createdAt: now,
      updatedAt: now,
      startedAt: input.startedAt ?? null,
    });
    await manager.insert(Upload, { recordingId: id, userId, size: input.size ?? null, activeAt: now });
    await this.searchIndex.refresh(manager, id, { texts: true });
    await this.uploads.watchIdle(manager, id, now);
  }

  /** With the user's row locked, so that two at once cannot both take the last place. */
  private async requireRoom(manager: EntityManager, userId: string): Promise<void> {
    const { maxOpenUploads } = this.settings;
    await manager.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
    if ((await manager.countBy(Upload, { userId, closedAt: IsNull() })) < maxOpenUploads) return;
    throw new DomainError(
      'CONFLICT',
      `You have ${maxOpenUploads} open uploads, which is the most; finish or delete one first.`,
    );
  }

  /** A member whose role creates recordings; the folder active, of this organization and open to the member. */
  private async requirePlace(
    userId: string,
    organizationId: string,
    { folderId }: NewRecording,
  ): Promise<void> {
    const [place]: PlaceRow[] = isUuid(organizationId)
      ? await this.dataSource.query(PLACE, [
          userId,
          organizationId,
          folderId !== undefined && isUuid(folderId) ? folderId : null,
        ])
      : [];
    if (!place) throw new DomainError('ORGANIZATION_NOT_FOUND');
    if (place.role === null) {
      throw new DomainError('FORBIDDEN', 'You are not a member of this organization.');
    }
    if (!ROLE_CATALOG[place.role].creates) {
      throw new DomainError('FORBIDDEN', `The role ${place.role} does not create recordings.`);
    }
    const subscription = { status: place.subscription_status, endsAt: place.subscription_ends_at };
    if (organizationStanding(place.plan, subscription, this.clock.now()).expired) {
      throw new DomainError('ORGANIZATION_SUBSCRIPTION_EXPIRED');
    }
    // A restricted folder is no secret among members, but only those it names put something into it.
    const open = place.folder_open || (place.folder_open !== null && ROLE_CATALOG[place.role].seesAll);
    if (folderId !== undefined && !open) {
      throw new DomainError('VALIDATION_ERROR', 'folder_id: must be an active folder of the organization');
    }
  }
}
