import type { EntityManager } from 'typeorm';
import { isUuid } from '../../../platform/ids.js';
import type { JobOwner } from '../../../platform/jobs/fair-share.js';
import type { Recording } from '../../recordings/access/entities/recording.entity.js';
import { sql } from '../../../platform/database/sql.js';

type RecordingFacts = Readonly<
  Pick<
    Recording,
    | 'status'
    | 'mediaKey'
    | 'mediaType'
    | 'sourceKey'
    | 'packageKey'
    | 'statusReason'
    | 'startedAt'
    | 'endedAt'
  >
>;

interface Packaging {
  readonly recordingId: string;
  readonly id: string;
}

/** What a packaging attempt starts from. */
export interface PackagingFacts extends RecordingFacts {
  readonly owner: JobOwner;
  /** Whether the parts are new media for a recording that exists already. */
  readonly replaces: boolean;
  /** Whether nobody may hear the earlier media any more. */
  readonly silences: boolean;
  /** Keys of the parts of the completed upload in order; empty when there is none. */
  readonly parts: readonly string[];
}

/** Whether new media of the recording `r` waits for its packaging. */
const IS_REPLACED = sql`EXISTS (
  SELECT FROM uploads u WHERE u.recording_id = r.id AND u.added AND u.closed_at IS NOT NULL AND u.status_reason IS NULL)`;

/**
 * Makes `attempt` the current one. Null if the recording has been deleted, or is complete and has no new media. One that
 * `silences` makes new media of what is played: null unless the recording is complete and has media.
 */
export async function beginPackaging(
  manager: EntityManager,
  recordingId: string,
  attempt: string,
  silences = false,
): Promise<PackagingFacts | null> {
  const condition = silences
    ? sql`status = 'COMPLETED' AND media_key IS NOT NULL AND NOT ${IS_REPLACED}`
    : sql`status IN ('PROCESSING', 'MIGRATING') OR package_key IS NULL OR ${IS_REPLACED}`;
  const [begun] = await sql(manager)<RecordingFacts & JobOwner>`
    UPDATE recordings r SET packaging_id = ${attempt} WHERE id = ${recordingId} AND (${condition})
    RETURNING status, media_key AS "mediaKey", media_type AS "mediaType", source_key AS "sourceKey",
              package_key AS "packageKey", status_reason AS "statusReason", started_at AS "startedAt",
              ended_at AS "endedAt", owner_id AS "userId", organization_id AS "organizationId"`;
  if (!begun) return null;
  const { userId, organizationId, ...facts } = begun;
  const owner = { userId, organizationId };
  // Its own source, so that what is played now does not become the original.
  if (silences) return { ...facts, sourceKey: facts.mediaKey, owner, replaces: false, silences, parts: [] };
  const [upload] = await sql(manager)<{ added: boolean; parts: string[] }>`
    SELECT u.added, ARRAY(SELECT key FROM upload_parts p WHERE p.recording_id = u.recording_id ORDER BY start) AS parts
    FROM uploads u WHERE u.recording_id = ${recordingId} AND u.closed_at IS NOT NULL`;
  const { added: replaces, parts } = upload ?? { added: false, parts: [] };
  // Nothing of what is to be replaced is packaged again.
  const replaced = replaces && { mediaKey: null, mediaType: null, sourceKey: null, packageKey: null };
  return { ...facts, ...replaced, owner, replaces, silences, parts };
}

/** Whether an attempt is current: the recording exists, and no other attempt has begun. */
export async function isCurrentPackaging(
  manager: EntityManager,
  { recordingId, id }: Packaging,
): Promise<boolean> {
  const found = await sql(manager)<unknown>`
    SELECT id FROM recordings WHERE id = ${recordingId} AND packaging_id = ${id}`;
  return found.length > 0;
}

/** Stores the progress of an attempt. Returns false if the recording shows none, or the attempt is not current. */
export async function storeProgress(
  manager: EntityManager,
  { recordingId, id }: Packaging,
  progress: number,
): Promise<boolean> {
  // Once it migrates, only while its source is all that is playable.
  const stored = await sql(manager).count`
    UPDATE recordings SET progress = ${progress}
    WHERE id = ${recordingId} AND packaging_id = ${id}
      AND (status = 'PROCESSING' OR status = 'MIGRATING' AND package_key IS NULL)`;
  return stored > 0;
}

/** Returns the subset of these packaging and transcription attempts that is current. */
export async function findCurrentAttempts(
  manager: EntityManager,
  attempts: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = attempts.filter(isUuid);
  const rows = await sql(manager)<{ id: string }>`
    SELECT packaging_id AS id FROM recordings WHERE packaging_id = ANY (${ids}::uuid[])
    UNION ALL SELECT attempt_id FROM transcripts WHERE attempt_id = ANY (${ids}::uuid[])
    UNION ALL SELECT attempt_id FROM tracks WHERE attempt_id = ANY (${ids}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}

interface Stored {
  /** Any bytes to package. */
  readonly media: boolean;
  readonly package: boolean;
  /** Whether its source has been published, of which no package has. */
  readonly sourceOnly: boolean;
  /** Whether new media is being packaged. */
  readonly replacing: boolean;
}

/** Nothing of a recording that has been deleted. */
export async function findStored(manager: EntityManager, recordingId: string): Promise<Stored> {
  const row = await sql(manager).row<Stored>`
    SELECT media_key IS NOT NULL OR source_key IS NOT NULL OR part.added IS FALSE AS media, package_key IS NOT NULL AS package,
           media_key IS NOT NULL AND package_key IS NULL AND part.added IS NOT NULL AS "sourceOnly",
           ${IS_REPLACED} AS replacing
    FROM (SELECT ${recordingId}::uuid AS id) AS asked LEFT JOIN recordings r USING (id) LEFT JOIN LATERAL (
      SELECT u.added FROM upload_parts p JOIN uploads u USING (recording_id) WHERE p.recording_id = r.id LIMIT 1) AS part ON true`;
  return row;
}
