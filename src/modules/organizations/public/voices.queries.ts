import type { EntityManager } from 'typeorm';
import { suggestNames, type NamedVoice } from '../../../lib/speech/named-voices.js';
import type { SpeakerVoice } from '../../../lib/speech/speech-messages.js';
import { sql } from '../../../platform/database/sql.js';

/** Of an organization: those that were named last. */
const MOST_VOICES = 10_000;

/** The voice of a speaker, by the label that they have in the transcript, and what has computed the embedding. */
export type TranscriptVoice = Omit<SpeakerVoice, 'speaker'> & Readonly<Record<'speaker' | 'model', string>>;

/**
 * Returns the organization of a recording if it remembers voices, which it does until the transaction ends; before the
 * recording is locked, as in all transactions.
 */
export async function lockRemembering(
  manager: EntityManager,
  recordingId: string,
): Promise<string | undefined> {
  const [found] = await sql(manager)<{ id: string }>`
    SELECT o.id FROM recordings r JOIN organizations o ON o.id = r.organization_id AND o.remember_voices
    WHERE r.id = ${recordingId}::uuid FOR SHARE OF o`;
  return found?.id;
}

/**
 * Keeps the voices of a transcript that has just been written, unless its recording has moved, with whose they probably
 * are by the voices that were named last. Removes the oldest of too many.
 */
export async function keepVoices(
  manager: EntityManager,
  [recordingId, organizationId]: readonly [string, string],
  voices: readonly TranscriptVoice[],
): Promise<void> {
  const named = await sql(manager)<Omit<NamedVoice, 'embedding'> & { readonly embedding: Buffer }>`
    SELECT v.speaker AS name, v.seconds, v.embedding FROM transcript_voices v
    JOIN recordings r ON r.id = v.recording_id AND r.organization_id = v.organization_id
    WHERE v.organization_id = ${organizationId}::uuid AND v.model = ${voices[0]?.model ?? ''} AND v.named_at IS NOT NULL
    ORDER BY v.named_at DESC LIMIT ${MOST_VOICES}`;
  const known = named.map((voice) => ({ ...voice, embedding: floatsOf(voice.embedding) }));
  const suggestions = suggestNames(voices, known);
  const rows = voices.map(({ embedding, ...voice }, number) => ({
    ...voice,
    recording_id: recordingId,
    number,
    organization_id: organizationId,
    embedding: `\\x${Buffer.from(new Uint8Array(embedding.buffer)).toString('hex')}`,
    suggestion: suggestions[number]?.name,
    suggestion_confidence: suggestions[number]?.confidence,
  }));
  await sql(manager)`
    INSERT INTO transcript_voices SELECT v.* FROM json_populate_recordset(NULL::transcript_voices, ${JSON.stringify(rows)}) v
    JOIN recordings r ON r.id = v.recording_id AND r.organization_id = v.organization_id`;
  await sql(manager)`
    DELETE FROM transcript_voices WHERE (recording_id, number) IN (
      SELECT recording_id, number FROM transcript_voices WHERE organization_id = ${organizationId}::uuid
      ORDER BY named_at DESC NULLS LAST, recording_id DESC, number OFFSET ${MOST_VOICES} FOR UPDATE SKIP LOCKED)`;
}

/** Has voices follow the labels of their speakers, at the same time; removes those whose label nobody has any more. */
export async function renameVoices(
  manager: EntityManager,
  recordingId: string,
  renames: readonly { readonly from: string; readonly to: string }[],
  { speakers, now }: { readonly speakers: readonly string[]; readonly now: Date },
): Promise<void> {
  // Labels that a transcription gives are no names.
  await sql(manager)`
    UPDATE transcript_voices v SET speaker = renamed."to", suggestion = NULL, suggestion_confidence = NULL,
      named_at = CASE WHEN renamed."to" !~* '^speaker [0-9]+$' THEN ${now}::timestamptz END
    FROM json_to_recordset(${JSON.stringify(renames)}) AS renamed ("from" text, "to" text)
    WHERE v.recording_id = ${recordingId}::uuid AND v.speaker = renamed."from"`;
  await sql(manager)`
    DELETE FROM transcript_voices WHERE recording_id = ${recordingId}::uuid AND speaker <> ALL (${speakers}::text[])`;
}

/** A copy, as numbers have to be aligned in memory. */
const floatsOf = (bytes: Buffer): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);
