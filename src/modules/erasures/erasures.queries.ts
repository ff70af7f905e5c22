import type { EntityManager } from 'typeorm';
import { sql, type Sql } from '../../platform/database/sql.js';
import type { Role } from '../../policy/roles.js';
import { inScope, labelsOf, mentions, type Person } from '../erasure/public/person.queries.js';
import { ERASURE_LIMITS } from './erasure-limits.js';
import type { ErasureReview } from './erasure-receipt.response.dto.js';

/** All recordings; those in the bin are where they were before. */
const RECORDINGS = sql`(SELECT place.* FROM recordings stored CROSS JOIN LATERAL recording_place(stored) place) r`;

const isOwned = ({ userId }: Person): Sql => sql`COALESCE(r.owner_id = ${userId}::uuid, false)`;

/** Whether they speak in the recording `r`, in any revision, or have an action item in it. */
function isNamed(person: Person): Sql {
  const labels = sql`${labelsOf(person)}::text[]`;
  const speaks = (table: string, speakers: string): Sql => sql`EXISTS (
    SELECT FROM ${() => table} t CROSS JOIN ${() => speakers} AS speaker
    WHERE t.recording_id = r.id AND lower(speaker) = ANY (${labels}))`;
  return sql`(${speaks('transcripts', 'unnest(t.speakers)')}
    OR ${speaks('transcripts', `jsonb_array_elements_text(t.draft -> 'speakers')`)}
    OR ${speaks('transcript_revisions', 'unnest(t.speakers)')}
    OR EXISTS (SELECT FROM tracks t WHERE t.recording_id = r.id AND (t.user_id = ${person.userId}::uuid OR lower(t.name) = ANY (${labels})))
    OR EXISTS (SELECT FROM action_items i WHERE i.recording_id = r.id AND lower(i.owner) = ANY (${labels})))`;
}

export interface ConcernedRecording {
  readonly id: string;
  /** It goes as a whole. */
  readonly owned: boolean;
  /** Its organization or owner, whose vocabulary has its words. */
  readonly scopeId: string;
}

/** Finds what they own, and where they speak or have an action item, except where this has been erased already. */
export const findConcerned = async (
  manager: EntityManager,
  erasure: Person & { readonly id: string },
): Promise<ConcernedRecording[]> =>
  sql(manager)`
    SELECT r.id, ${isOwned(erasure)} AS owned, COALESCE(r.organization_id, r.owner_id) AS "scopeId" FROM ${RECORDINGS}
    WHERE ${inScope(erasure, 'r.organization_id')} AND (${isOwned(erasure)} OR ${isNamed(erasure)})
      AND NOT EXISTS (SELECT FROM erasure_recordings e WHERE e.erasure_id = ${erasure.id}::uuid AND e.recording_id = r.id)
    ORDER BY r.id`;

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

/** Finds their memberships. */
export const findMemberships = (
  manager: EntityManager,
  { organizationId, userId }: Pick<Person, 'organizationId' | 'userId'>,
): Promise<{ readonly organizationId: string; readonly userId: string; readonly role: Role }[]> =>
  sql(manager)`
    SELECT m.organization_id AS "organizationId", m.user_id AS "userId", m.role FROM organization_members m
    WHERE m.user_id = ${userId}::uuid AND (${organizationId}::uuid IS NULL OR m.organization_id = ${organizationId}::uuid)`;

const field = (name: string, found: Sql): Sql => sql`CASE WHEN ${found} THEN ${name}::text END`;

/**
 * Finds the texts of recordings that say their name, besides what is theirs. `changed` are recordings in which they
 * speak: what others say there, and summaries of it, which are made of their words.
 */
export async function findTexts(
  manager: EntityManager,
  person: Person,
  changed: readonly string[],
): Promise<ErasureReview[]> {
  const says = (text: string): Sql => mentions(person, text);
  const ids = sql`${changed}::uuid[]`;
  const othersSay = sql`r.id = ANY (${ids}) AND EXISTS (
    SELECT FROM transcript_chunks c CROSS JOIN json_to_recordset(c.segments) AS segment (speaker text, text text)
    WHERE c.recording_id = r.id AND lower(segment.speaker) <> ALL (${labelsOf(person)}::text[])
      AND ${says(`segment.speaker || ' ' || segment.text`)})`;
  return sql(manager)`
    SELECT * FROM (
      SELECT r.id AS recording_id, array_remove(ARRAY[
        ${field('title', says('r.title'))}, ${field('notes', says('r.notes'))},
        ${field('metadata', says(`concat_ws(' ', r.external_id, r.metadata)`))},
        ${field('summary', sql`(r.id = ANY (${ids}) AND s.status = 'completed') OR ${says(`concat_ws(' ', s.content, s.topics, s.decisions)`)}`)},
        ${field('action_items', sql`EXISTS (SELECT FROM action_items i WHERE i.recording_id = r.id AND ${says('i.text')})`)},
        ${field('transcript', othersSay)}], NULL) AS fields
      FROM ${RECORDINGS} LEFT JOIN summaries s ON s.recording_id = r.id
      WHERE ${inScope(person, 'r.organization_id')} AND NOT ${isOwned(person)}
    ) AS texts WHERE fields <> '{}' ORDER BY recording_id LIMIT ${ERASURE_LIMITS.review}::int`;
}

/** False once they have been deleted. */
export const isUser = (manager: EntityManager, userId: string): Promise<boolean> =>
  sql(manager).value<boolean>`SELECT EXISTS (SELECT FROM users WHERE id = ${userId}::uuid)`;

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
