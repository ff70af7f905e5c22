import type { EntityManager } from 'typeorm';
import { sql } from '../../../platform/database/sql.js';
import type { RecordingKey } from './recording-key.entity.js';

/** What there is of a recording, in a row; null is what there is not. */
interface FoundKeys {
  readonly isRecording: boolean;
  readonly scopeId: string | null;
  readonly sealed: Buffer;
  readonly scopeKeyId: string | null;
  readonly scopeSealed: Buffer;
}

/** In one statement: a recording may move meanwhile, and the organization where it was be deleted. */
export const findKeys = (manager: EntityManager, recordingId: string): Promise<FoundKeys> =>
  sql(manager).row<FoundKeys>`
    SELECT r.id IS NOT NULL AS "isRecording", k.scope_id AS "scopeId", k.sealed, c.sealing_key_id AS "scopeKeyId",
      c.sealed AS "scopeSealed"
    FROM (SELECT ${recordingId}::uuid AS id) AS wanted LEFT JOIN recordings r ON r.id = wanted.id
    LEFT JOIN recording_keys k ON k.recording_id = wanted.id LEFT JOIN content_keys c ON c.scope_id = k.scope_id`;

/** Saves the key of a recording that is about to be created, in place of that of an import that failed. */
export async function saveKey(
  manager: EntityManager,
  { recordingId, scopeId, sealed }: RecordingKey,
): Promise<void> {
  await sql(manager)`
    INSERT INTO recording_keys AS k (recording_id, scope_id, sealed) VALUES (${recordingId}, ${scopeId}, ${sealed})
    ON CONFLICT (recording_id) DO UPDATE SET scope_id = excluded.scope_id, sealed = excluded.sealed
    WHERE NOT EXISTS (SELECT FROM recordings WHERE id = k.recording_id)`;
}

interface MisplacedKey extends RecordingKey {
  /** Where the recording is now. */
  readonly toScopeId: string;
}

/** The keys that are sealed for where their recordings were, in the same order in all transactions. */
export const findMisplacedKeys = (manager: EntityManager, ids: readonly string[]): Promise<MisplacedKey[]> =>
  sql(manager)<MisplacedKey>`
    SELECT k.recording_id AS "recordingId", k.scope_id AS "scopeId", k.sealed,
      COALESCE(r.organization_id, r.owner_id) AS "toScopeId"
    FROM recording_keys k JOIN recordings r ON r.id = k.recording_id
    WHERE k.recording_id = ANY (${ids}::uuid[]) AND k.scope_id <> COALESCE(r.organization_id, r.owner_id)
    ORDER BY r.id`;
