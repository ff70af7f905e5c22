import type { VoicePart } from './captions-markup.js';
import type { RawCue } from './captions-scanner.js';

/** A part of a cue with one voice; entities of voice and text are not decoded yet. */
export interface Spoken extends Omit<RawCue, 'name' | 'markup'>, VoicePart {
  readonly confidence: number;
}
