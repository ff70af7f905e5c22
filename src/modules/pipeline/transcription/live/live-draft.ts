import type { SpeechDraft } from '../../../../lib/speech/heard-speech.js';
import { z } from '../../../../lib/zod.js';

/** What is kept of each track whose words are in a draft: its own state, and which of the segments are its. */
const STATE = z.object({
  tracks: z.record(z.string(), z.object({ state: z.unknown(), places: z.array(z.int().min(0)) })),
});

const tracksIn = (draft: SpeechDraft | null) => STATE.safeParse(draft?.state).data?.tracks ?? {};

/** What a draft has of one track; null if nothing. */
export function draftOf(track: string, draft: SpeechDraft | null): SpeechDraft | null {
  const found = tracksIn(draft)[track];
  if (!draft || !found) return null;
  const segments = found.places.flatMap((place) => draft.segments[place] ?? []);
  return { progress: 0, segments, state: found.state };
}

/** A draft in which what was heard of a track is replaced, in the order of time. */
export function withTrack(track: string, heard: SpeechDraft, draft: SpeechDraft | null): SpeechDraft {
  const drafts = new Map<string, SpeechDraft>();
  for (const other of Object.keys(tracksIn(draft))) drafts.set(other, draftOf(other, draft) ?? heard);
  drafts.set(track, heard);
  const segments = [...drafts.values()]
    .flatMap((one) => one.segments)
    .sort((one, other) => one.start - other.start || one.end - other.end);
  const places = new Map(segments.map((segment, place) => [segment, place]));
  const tracks = [...drafts].map(([id, { state, segments: own }]) => [
    id,
    { state, places: own.map((segment) => places.get(segment)) },
  ]);
  return { progress: 0, segments, state: { tracks: Object.fromEntries(tracks) as object } };
}
