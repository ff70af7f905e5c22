import { countSpeakers, type SpeakerStatistics } from '../../../lib/transcript-formats/speaker-statistics.js';
import type { Segment } from '../../../lib/transcript-formats/transcript.js';
import type { ThreadTask } from '../../../platform/work/thread-task.js';

/** Counts what the speakers of a transcript do, given its chunks, each as JSON. */
export const COUNT_SPEAKERS: ThreadTask<readonly string[], SpeakerStatistics[]> = { module: import.meta.url };

export default (chunks: readonly string[]): SpeakerStatistics[] =>
  countSpeakers(chunks.flatMap((chunk) => JSON.parse(chunk) as Segment[]));
