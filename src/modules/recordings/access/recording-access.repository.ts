import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { readTimes, type JsonRow } from '../../../platform/database/json-row.js';
import { preparedQuery, type PreparedStatement } from '../../../platform/database/prepared-query.js';
import { isUuid } from '../../../platform/ids.js';
import type { KeyFacts } from '../../../policy/api-keys.js';
import type { Plan, SubscriptionStatus, UserPlan } from '../../../policy/plans.js';
import type { ContentStatus, RecordingStatus } from '../../../policy/recording-status.js';
import type { AccessFacts } from '../../../policy/recording-access.js';
import type { Role } from '../../../policy/roles.js';
import { decodeFeatureFlags } from '../../organizations/public/feature-flags.sql.js';
import { accessStatement, factsOfMany } from './recording-access.sql.js';

/** What a running transcription has so far. */
interface DraftFigures {
  readonly speakers: string[];
  readonly segmentsCount: number;
  /** Seconds. */
  readonly duration: number;
}

/** A recording with what is known about its content, without the texts themselves. */
export interface RecordingRow {
  readonly id: string;
  readonly title: string;
  readonly status: RecordingStatus;
  readonly progress: number;
  readonly owner_id: string | null;
  readonly organization_id: string | null;
  readonly folder_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly revision: number;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly status_reason: string | null;
  /** Seconds. */
  readonly duration: number | null;
  readonly media_key: string | null;
  readonly media_type: string | null;
  readonly package_key: string | null;
  readonly transcript_status: ContentStatus | null;
  readonly transcript_language: string | null;
  readonly transcript_speakers: string[] | null;
  readonly transcript_segments_count: number | null;
  readonly transcript_duration: number | null;
  readonly transcript_status_reason: string | null;
  readonly transcript_revision: number | null;
  readonly transcript_confidence_known: boolean | null;
  /** Of the current transcription, 0 to 1. */
  readonly transcript_progress: number | null;
  readonly transcript_draft: DraftFigures | null;
}

/** Columns of the access decision. */
interface FactsRow extends Pick<
  RecordingRow,
  'owner_id' | 'organization_id' | 'status' | 'created_at' | 'transcript_status'
> {
  readonly has_media: boolean;
  readonly without_media: boolean;
  readonly owner_plan: UserPlan | null;
  readonly organization_plan: Plan | null;
  readonly subscription_status: SubscriptionStatus;
  readonly subscription_ends_at: Date | null;
  readonly organization_flags: number;
  readonly role: Role | null;
  readonly view_all_recordings: boolean;
  readonly view_folder_recordings: boolean;
  readonly member_flags: number;
  readonly folder_active: boolean | null;
  readonly folder_open: boolean;
}

type AccessRow = RecordingRow & FactsRow;

type PlacedFactsRow = FactsRow & Pick<RecordingRow, 'id' | 'folder_id'>;

/** Facts, and the folder, which may be an inactive one. */
export type PlacedFacts = AccessFacts & { readonly folderId: string | null };

interface KeyedFactsRow extends FactsRow {
  readonly key_user_id: string | null;
  readonly key_expires_at: Date | null;
  readonly key_revoked_at: Date | null;
}

export interface FoundRecording<Columns> {
  readonly row: RecordingRow & Columns;
  readonly facts: AccessFacts;
}

/** A recording as seen by the user of an API key. */
export interface KeyedRecording<Columns> {
  readonly key: KeyFacts;
  readonly facts: AccessFacts;
  readonly columns: Columns;
}

interface FoundRow {
  readonly recording: JsonRow<AccessRow>;
}

const ROW = accessStatement({ name: 'within', columns: '' });

const TIMES = ['created_at', 'updated_at', 'started_at', 'ended_at', 'subscription_ends_at'] as const;

const FACTS_TIMES = ['created_at', 'subscription_ends_at'] as const;

const KEYED_TIMES = ['created_at', 'subscription_ends_at', 'key_expires_at', 'key_revoked_at'] as const;

@Injectable()
export class RecordingAccessRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** One recording with everything that its access decision is based on, read by an `accessStatement`; null if absent. */
  async find<Columns>(
    statement: PreparedStatement,
    recordingId: string,
    viewerId: string | null,
    values: readonly unknown[] = [],
  ): Promise<FoundRecording<Columns> | null> {
    if (!isUuid(recordingId)) return null;
    const parameters = [recordingId, viewerId, ...values];
    const [found] = await preparedQuery<FoundRow & Columns>(this.dataSource, statement, parameters);
    if (!found) return null;
    const { recording, ...columns } = found;
    const row = readTimes(recording, TIMES);
    return { row: Object.assign(row, columns as unknown as Columns), facts: toFacts(row) };
  }

  /** What is known about one recording and an API key, read by a `keyedAccessStatement`; null if either is absent. */
  async findKeyed<Columns>(
    statement: PreparedStatement,
    recordingId: string,
    apiKeyId: string,
  ): Promise<KeyedRecording<Columns> | null> {
    if (!isUuid(recordingId) || !isUuid(apiKeyId)) return null;
    const [found] = await preparedQuery<{ facts: JsonRow<KeyedFactsRow> } & Columns>(
      this.dataSource,
      statement,
      [recordingId, apiKeyId],
    );
    if (!found) return null;
    const { facts, ...columns } = found;
    const row = readTimes<KeyedFactsRow>(facts, KEYED_TIMES);
    const key = { userId: row.key_user_id, expiresAt: row.key_expires_at, revokedAt: row.key_revoked_at };
    return { key, facts: toFacts(row), columns: columns as unknown as Columns };
  }

  /** Like `find`, with the owner as the viewer and as seen by the transaction of `manager`; null if there is no owner. */
  async findForOwner(
    manager: EntityManager,
    recordingId: string,
  ): Promise<FoundRecording<{ owner_id: string }> | null> {
    const owners: { owner_id: string | null }[] = await manager.query(
      'SELECT owner_id FROM recordings WHERE id = $1',
      [recordingId],
    );
    const ownerId = owners[0]?.owner_id ?? null;
    if (ownerId === null) return null;
    const found = await this.findWithin(manager, recordingId, ownerId);
    return found && { row: { ...found.row, owner_id: ownerId }, facts: found.facts };
  }

  /** Like `find`, as seen by the transaction of `manager`. */
  async findWithin(
    manager: EntityManager,
    recordingId: string,
    viewerId: string,
  ): Promise<FoundRecording<object> | null> {
    const [found]: FoundRow[] = await manager.query(ROW.text, [recordingId, viewerId]);
    if (!found) return null;
    const row = readTimes(found.recording, TIMES);
    return { row, facts: toFacts(row) };
  }

  /**
   * The facts about several recordings, by their ids, and further columns, as seen by the transaction of `manager`; without
   * absent ones.
   */
  async findFacts<Columns>(
    manager: EntityManager,
    recordingIds: readonly string[],
    viewerId: string,
    columns: string,
  ): Promise<Map<string, { readonly facts: PlacedFacts; readonly columns: Columns }>> {
    const found: ({ facts: JsonRow<PlacedFactsRow> } & Columns)[] = await manager.query(
      // oxlint-disable-next-line service/static-sql -- Composed of constants of the modules.
      factsOfMany(columns),
      [recordingIds, viewerId],
    );
    return new Map(
      found.map(({ facts, ...others }) => {
        const row = readTimes<PlacedFactsRow>(facts, FACTS_TIMES);
        const placed = { ...toFacts(row), folderId: row.folder_id };
        return [row.id, { facts: placed, columns: others as unknown as Columns }];
      }),
    );
  }
}

function toFacts(row: FactsRow): AccessFacts {
  return {
    ownerId: row.owner_id,
    organizationId: row.organization_id,
    folder: row.folder_active ? { open: row.folder_open } : null,
    status: row.status,
    hasMedia: row.has_media,
    withoutMedia: row.without_media,
    createdAt: row.created_at,
    transcriptionStatus: row.transcript_status ?? 'not_started',
    ownerPlan: row.owner_plan,
    organization: row.organization_plan && {
      plan: row.organization_plan,
      subscription: { status: row.subscription_status, endsAt: row.subscription_ends_at },
      features: decodeFeatureFlags(row.organization_flags),
    },
    membership: row.role && {
      role: row.role,
      viewAllRecordings: row.view_all_recordings,
      viewFolderRecordings: row.view_folder_recordings,
      features: decodeFeatureFlags(row.member_flags),
    },
  };
}
