import type { EntityManager } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import { sql } from '../../../platform/database/sql.js';
import type { Upload } from '../entities/upload.entity.js';

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
