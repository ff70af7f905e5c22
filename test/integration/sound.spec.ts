import { describe } from '@jest/globals';
import { Packager } from '../../src/modules/packaging/packager.js';
import { keepsAllSound } from '../support/sound-contract.js';

describe('the sound of a recording, with the library', () => {
  keepsAllSound(new Packager({ ffmpegPath: undefined }));
});
