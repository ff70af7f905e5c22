/**
 * Niceness of the processes that do media work. Serving requests takes precedence, and packaging goes before transcription,
 * for which audio is extracted. A recording that plays as it is waits only for its inspection, so that goes before conversions.
 */
export const PRIORITY = { inspecting: 5, converting: 15, extractingAudio: 19 } as const;
