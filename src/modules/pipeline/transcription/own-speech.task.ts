import { keepOwnSpeech } from '../../../lib/media-engine/audio/own-speech.js';

/** Leaves in each file of samples only what its own speaker says. */
export default (paths: readonly string[]): Promise<void> => keepOwnSpeech(paths);
