import { describe } from '@jest/globals';
import { keepsAllSound } from '../support/sound-contract.js';

/** One for each way in which sound was once lost; `test/long/sounds.spec.ts` has all files. */
const SOME = new Set(['cut-first.webm', 'participants.mka', 'short-video.webm']);

describe('the sound of a recording, with the library', () => keepsAllSound(undefined, SOME));
