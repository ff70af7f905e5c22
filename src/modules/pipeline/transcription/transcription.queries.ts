import type { EntityManager } from 'typeorm';
import type { GlossaryTerm } from '../../../lib/language/glossary.js';
import { sql } from '../../../platform/database/sql.js';
import { isPlayable, RECORDING_STATUSES } from '../../../policy/recording-status.js';
import type { Recording } from '../../recordings/access/entities/recording.entity.js';

/** What starting a transcription depends on. */
export type Transcribable = Readonly<
  Pick<Recording, 'id' | 'status' | 'mediaKey' | 'ownerId' | 'organizationId'>
>;

/** The object to transcribe, the spoken language as given for the recording, and what its organization wants. */
export interface TranscriptionSource {
  readonly key: string | null;
  readonly language: string | null;
  readonly terms: readonly GlossaryTerm[];
  /** Nothing more of its tracks is on its way. */
  readonly tracksReady: boolean;
  /** It is a mix of the tracks. */
  readonly isMixed: boolean;
  readonly wantsVoices: boolean;
}

const PAGE_SIZE = 500;

/** Playable recordings without a transcript, except those in the bin. */
const MISSING = sql`
  FROM recordings r WHERE r.status = ANY (${RECORDING_STATUSES.filter(isPlayable)}) AND r.media_key IS NOT NULL AND r.deleted_at IS NULL
    AND NOT EXISTS (SELECT FROM transcripts t WHERE t.recording_id = r.id)`;

/** Returns what starting a transcription depends on for any user; undefined if there is no such recording. */
export async function findTranscribable(
  manager: EntityManager,
  recordingId: string,
): Promise<Transcribable | undefined> {
  const [found] = await sql(manager)<Transcribable>`
    SELECT id, status, media_key AS "mediaKey", owner_id AS "ownerId", organization_id AS "organizationId" FROM recordings WHERE id = ${recordingId}`;
  return found;
}

/** The original has all audio tracks; what is converted for players has one. */
export async function findSource(
  manager: EntityManager,
  recordingId: string,
): Promise<TranscriptionSource | undefined> {
  const [found] = await sql(manager)<TranscriptionSource>`
    SELECT COALESCE(r.source_key, r.media_key) AS key, r.language, COALESCE(g.terms, '[]') AS terms,
           NOT EXISTS (SELECT FROM uploads u WHERE u.track_of = r.id AND u.status_reason IS NULL) AS "tracksReady",
           r.media_mixed AS "isMixed",
      COALESCE(o.remember_voices, false) AS "wantsVoices"
    FROM recordings r LEFT JOIN organizations o ON o.id = r.organization_id
      LEFT JOIN glossaries g ON g.organization_id = r.organization_id WHERE r.id = ${recordingId}`;
  return found;
}

export async function countMissing(manager: EntityManager): Promise<number> {
  const [row] = await sql(manager)<{ total: number }>`SELECT count(*)::int AS total ${MISSING}`;
  return row?.total ?? 0;
}

/** Yields the ids of all playable recordings without a transcript, newest first. */
export async function* listMissing(manager: EntityManager): AsyncIterable<string> {
  let last: string | null = null;
  for (;;) {
    const page: { id: string }[] = await sql(manager)`
      SELECT r.id ${MISSING} AND (${last}::uuid IS NULL OR r.id < ${last}::uuid) ORDER BY r.id DESC LIMIT ${PAGE_SIZE}`;
    for (const { id } of page) yield id;
    last = page.at(-1)?.id ?? null;
    if (last === null) return;
  }
}

/** Locks a playable recording that still has no transcript; undefined if it is none. */
export async function lockMissing(
  manager: EntityManager,
  recordingId: string,
): Promise<{ readonly language: string | null } | undefined> {
  const [row] = await sql(manager)<{ language: string | null }>`
    SELECT r.language ${MISSING} AND r.id = ${recordingId} FOR NO KEY UPDATE`;
  return row;
}
