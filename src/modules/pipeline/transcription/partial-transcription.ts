import type { SpeechDraft } from '../../../lib/speech/heard-speech.js';
import { z } from '../../../lib/zod.js';
import type { Heard } from './openai-reply.js';
import type { TranscribeOptions } from './transcriber.js';

/** The first parts, in order, with the number of segments of each. */
const STATE = z.object({
  parts: z.number(),
  done: z.array(
    z.object({ language: z.string().nullable(), confidenceKnown: z.boolean(), segments: z.number() }),
  ),
});

/** The parts of a recording that have been transcribed so far. */
export class PartialTranscription {
  private readonly done: (Heard | undefined)[];
  private saving: Promise<void> = Promise.resolve();

  constructor(
    private readonly parts: number,
    draft: SpeechDraft | null,
  ) {
    this.done = draft ? partsOf(draft, parts) : [];
  }

  /** The transcript of a part if an interrupted attempt has left it. */
  find(index: number): Heard | null {
    return this.done[index] ?? null;
  }

  /** Saves the parts up to the first one that is missing. */
  add(index: number, heard: Heard, save: TranscribeOptions['save']): Promise<void> {
    this.done[index] = heard;
    this.saving = this.saving.then(() => save(this.draft()));
    return this.saving;
  }

  private draft(): SpeechDraft {
    const missing = Array.from({ length: this.parts }, (_, index) => this.done[index]).indexOf(undefined);
    const first = this.done.slice(0, missing < 0 ? this.parts : missing) as Heard[];
    const done = first.map(({ language, confidenceKnown, segments }) => {
      return { language, confidenceKnown, segments: segments.length };
    });
    return {
      progress: this.done.filter((heard) => heard !== undefined).length / this.parts,
      segments: first.flatMap(({ segments }) => segments),
      state: { parts: this.parts, done } satisfies z.output<typeof STATE>,
    };
  }
}

/** Nothing if the draft is of another transcriber, or of other parts. */
function partsOf({ state, segments }: SpeechDraft, parts: number): Heard[] {
  const { data } = STATE.safeParse(state);
  if (data?.parts !== parts) return [];
  let from = 0;
  return data.done.map(({ segments: count, ...part }) => {
    return { ...part, segments: segments.slice(from, (from += count)) };
  });
}
