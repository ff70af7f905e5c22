import { Packager } from '../../src/modules/packaging/packager.js';
import { FFMPEG, ffmpegPath } from '../support/requirements.js';
import { keepsAllSound } from '../support/sound-contract.js';

FFMPEG.describe('the sound of a recording, with the program', () =>
  keepsAllSound(new Packager({ ffmpegPath })),
);
