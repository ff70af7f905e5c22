import type { EntityManager } from 'typeorm';
import { LIMITS } from '../../contract/limits.js';
import { joined, sql, type Sql } from '../../platform/database/sql.js';
import type { Role } from '../../policy/roles.js';
import { inScope, labelsOf, mentions, type Person } from '../erasure/public/person.queries.js';
import type { ErasureCounts, ReviewedText } from './entities/erasure.entity.js';

/** The recordings `r` of the scope, also those in the bin. */
const placed = (person: Person): Sql =>
  sql`(${inScope(person, () => 'r.organization_id')} OR ${inScope(person, () => 'r.deleted_organization_id')})`;

const isOwned = ({ userId }: Person): Sql =>
  sql`COALESCE(${userId}::uuid IN (r.owner_id, r.deleted_owner_id), false)`;

/** Whether they speak in the recording `r`, in any revision, or are to do something after it. */
function isNamed(person: Person): Sql {
  const labels = sql`${labelsOf(person)}::text[]`;
  const speaks = (table: string): Sql => sql`EXISTS (
    SELECT FROM ${() => table} t CROSS JOIN unnest(t.speakers) AS speaker
    WHERE t.recording_id = r.id AND lower(speaker) = ANY (${labels}))`;
  return joined(
    [
      speaks('transcripts'),
      speaks('transcript_revisions'),
      sql`EXISTS (
        SELECT FROM transcripts t CROSS JOIN jsonb_array_elements_text(t.draft -> 'speakers') AS speaker
        WHERE t.recording_id = r.id AND lower(speaker) = ANY (${labels}))`,
      sql`EXISTS (SELECT FROM action_items i WHERE i.recording_id = r.id AND lower(i.owner) = ANY (${labels}))`,
    ],
    ' OR ',
  );
}

export interface ConcernedRecording {
  readonly id: string;
  /** It goes as a whole. */
  readonly owned: boolean;
}

/** Finds what they own, and where they speak or are to do something. */
export const findConcerned = async (manager: EntityManager, person: Person): Promise<ConcernedRecording[]> =>
  sql(manager)`
    SELECT r.id, ${isOwned(person)} AS owned FROM recordings r
    WHERE ${placed(person)} AND (${isOwned(person)} OR ${isNamed(person)}) ORDER BY r.id`;

/** Locks them, so that no hold is placed meanwhile. */
export async function lockRecordings(manager: EntityManager, ids: readonly string[]): Promise<void> {
  await sql(manager)`SELECT FROM recordings WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
}

/** How many segments and action items are theirs in these. */
export const countWords = (
  manager: EntityManager,
  person: Person,
  ids: readonly string[],
): Promise<{ readonly segments: number; readonly action_items: number }> =>
  sql(manager).row`
    SELECT (SELECT count(*)::int FROM transcript_chunks c CROSS JOIN json_to_recordset(c.segments) AS segment (speaker text)
            WHERE c.recording_id = ANY (${ids}::uuid[]) AND lower(segment.speaker) = ANY (${labelsOf(person)}::text[])) AS segments,
      (SELECT count(*)::int FROM action_items
       WHERE recording_id = ANY (${ids}::uuid[]) AND lower(owner) = ANY (${labelsOf(person)}::text[])) AS action_items`;

/** Finds the memberships of a user, in the scope of the erasure. */
export const findMemberships = (
  manager: EntityManager,
  { organizationId, userId }: Pick<Person, 'organizationId' | 'userId'>,
): Promise<{ readonly organizationId: string; readonly role: Role }[]> =>
  sql(manager)`
    SELECT m.organization_id AS "organizationId", m.role FROM organization_members m
    WHERE m.user_id = ${userId}::uuid AND (${organizationId}::uuid IS NULL OR m.organization_id = ${organizationId}::uuid)`;

export const isUser = (manager: EntityManager, userId: string | null): Promise<boolean> =>
  sql(manager).value<boolean>`SELECT EXISTS (SELECT FROM users WHERE id = ${userId}::uuid)`;

const field = (name: string, found: Sql): Sql => sql`CASE WHEN ${found} THEN ${name}::text END`;

/**
 * Finds the texts that say their name, besides what is theirs: at most one more than the limit. `changed` are recordings
 * in which they speak: what others say there, and summaries of it, which are made of their words.
 */
export async function findTexts(
  manager: EntityManager,
  person: Person,
  changed: readonly string[],
): Promise<ReviewedText[]> {
  const says = (text: string): Sql => mentions(person, () => text);
  const ids = sql`${changed}::uuid[]`;
  const labels = sql`${labelsOf(person)}::text[]`;
  return sql(manager)`
    SELECT * FROM (
      SELECT 'recording' AS resource, r.id, array_remove(ARRAY[
        ${field('title', says('r.title'))}, ${field('notes', says('r.notes'))},
        ${field('summary', sql`(r.id = ANY (${ids}) AND s.status = 'completed') OR ${says(`concat_ws(' ', s.content, s.topics, s.decisions)`)}`)},
        ${field('action_items', sql`EXISTS (SELECT FROM action_items i WHERE i.recording_id = r.id AND ${says('i.text')})`)},
        ${field(
          'transcript',
          sql`r.id = ANY (${ids}) AND EXISTS (
            SELECT FROM transcript_chunks c CROSS JOIN json_to_recordset(c.segments) AS segment (speaker text, text text)
            WHERE c.recording_id = r.id AND lower(segment.speaker) <> ALL (${labels}) AND ${says(`segment.speaker || ' ' || segment.text`)})`,
        )}], NULL) AS fields
      FROM recordings r LEFT JOIN summaries s ON s.recording_id = r.id WHERE ${placed(person)} AND NOT ${isOwned(person)}
      UNION ALL SELECT 'folder', f.id, ARRAY['name'] FROM folders f
      WHERE ${inScope(person, () => 'f.organization_id')} AND ${says('f.name')}
      UNION ALL SELECT 'glossary', g.organization_id, ARRAY['terms'] FROM glossaries g
      WHERE ${inScope(person, () => 'g.organization_id')} AND ${says('g.terms::text')}
    ) AS texts WHERE fields <> '{}' ORDER BY resource DESC, id LIMIT ${LIMITS.erasures.review + 1}::int`;
}

/** Notes from which recordings they still have to be erased, unless that is known. */
export async function noteRecordings(
  manager: EntityManager,
  erasureId: string,
  recordings: readonly ConcernedRecording[],
): Promise<void> {
  await sql(manager)`
    INSERT INTO erasure_recordings (erasure_id, recording_id, owned)
    SELECT ${erasureId}::uuid, * FROM unnest(${recordings.map(({ id }) => id)}::uuid[], ${recordings.map(({ owned }) => owned)}::boolean[])
    ON CONFLICT DO NOTHING`;
}

/** The owned recordings `r` of an erasure. */
export const ownedIn = (erasureId: string): Sql =>
  sql`r.id IN (SELECT recording_id FROM erasure_recordings WHERE erasure_id = ${erasureId}::uuid AND owned)`;

/** How many of these have not been deleted. */
export const countOwned = (manager: EntityManager, erasureId: string): Promise<number> =>
  sql(manager).value<number>`SELECT count(*)::int FROM recordings r WHERE ${ownedIn(erasureId)}`;

/** The organizations, or owners, of recordings. */
export async function findScopes(manager: EntityManager, recordingIds: readonly string[]): Promise<string[]> {
  const rows = await sql(manager)<{ id: string }>`
    SELECT DISTINCT COALESCE(p.organization_id, p.owner_id) AS id FROM recordings r CROSS JOIN recording_place(r) AS p
    WHERE r.id = ANY (${recordingIds}::uuid[]) AND COALESCE(p.organization_id, p.owner_id) IS NOT NULL`;
  return rows.map(({ id }) => id);
}

/** Adds up what was erased in recordings. */
export const sumCounts = (manager: EntityManager, erasureId: string): Promise<ErasureCounts> =>
  sql(manager).value<ErasureCounts>`
    SELECT COALESCE(jsonb_object_agg(kind, total), '{}') FROM (
      SELECT each.key AS kind, sum(each.value::int)::int AS total
      FROM erasure_recordings e CROSS JOIN jsonb_each_text(e.counts) AS each
      WHERE e.erasure_id = ${erasureId}::uuid GROUP BY each.key) AS totals`;

/** Whether there is such a person, who is or was a member: an organization must not find out about others. */
export const isKnownTo = (
  manager: EntityManager,
  organizationId: string | null,
  userId: string,
): Promise<boolean> =>
  sql(manager).value<boolean>`
    SELECT EXISTS (SELECT FROM users WHERE id = ${userId}::uuid AND service_of IS NULL) AND (${organizationId}::uuid IS NULL
      OR EXISTS (SELECT FROM organization_members WHERE organization_id = ${organizationId}::uuid AND user_id = ${userId}::uuid)
      OR EXISTS (SELECT FROM change_log WHERE organization_id = ${organizationId}::uuid AND user_id = ${userId}::uuid))`;
