import { keepOwnSpeech, keepRest } from '../../../lib/media-engine/audio/own-speech.js';
import type { ThreadTask } from '../../../platform/work/thread-task.js';

interface HeardFiles {
  /** Those of single participants. */
  readonly voices: readonly string[];
  /** That of everyone; null if there is none, or if it is made of the voices. */
  readonly mix: string | null;
}

/** Leaves in each file of samples only what its own speaker says; returns whether others speak in the rest of the mix. */
export const KEEP_OWN_SPEECH: ThreadTask<HeardFiles, boolean> = { module: import.meta.url };

export default async ({ voices, mix }: HeardFiles): Promise<boolean> => {
  const hasRest = mix !== null && (await keepRest(mix, voices));
  if (voices.length > 1) await keepOwnSpeech(voices);
  return hasRest;
};
