import type { EntityManager } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import { sql } from '../../../platform/database/sql.js';
import type { DirectPart } from '../entities/direct-part.entity.js';
import type { Upload } from '../entities/upload.entity.js';

/** Adds parts, and returns them in their order: those with the same hash as before keep their key, others are replaced. */
export async function expectParts(
  manager: EntityManager,
  parts: readonly DirectPart[],
): Promise<DirectPart[]> {
  const expected = await sql(manager)<DirectPart>`
    INSERT INTO direct_parts AS d (recording_id, number, sha256, key)
    SELECT * FROM unnest(${parts.map(({ recordingId }) => recordingId)}::uuid[], ${parts.map(({ number }) => number)}::int[],
                         ${parts.map(({ sha256 }) => sha256)}::text[], ${parts.map(({ key }) => key)}::text[])
    ON CONFLICT (recording_id, number) DO UPDATE SET
      sha256 = excluded.sha256, key = CASE WHEN d.sha256 = excluded.sha256 THEN d.key ELSE excluded.key END
    RETURNING recording_id AS "recordingId", number, sha256, key`;
  return expected.sort((one, other) => one.number - other.number);
}

/** Makes parts with these keys those of the upload. Returns how many there are. */
export async function takeParts(
  manager: EntityManager,
  { recordingId, size }: Upload,
  keys: readonly string[],
): Promise<number> {
  const taken = await sql(manager)<unknown>`
    WITH taken AS (
      DELETE FROM direct_parts WHERE recording_id = ${recordingId}::uuid AND key = ANY (${keys}::text[])
      RETURNING recording_id, key, (number - 1) * ${LIMITS.directPart}::bigint AS start
    )
    INSERT INTO upload_parts (recording_id, start, size, key)
    SELECT recording_id, start, least(${LIMITS.directPart}::bigint, ${size}::bigint - start), key FROM taken
    RETURNING start`;
  return taken.length;
}
