import { describe } from '@jest/globals';
import { Packager } from '../../src/modules/packaging/packager.js';
import { keepsPackagerContract } from '../support/packager-contract.js';
import { PLAYABLE } from '../support/playable-media.js';
import { FFMPEG, ffmpegPath } from '../support/requirements.js';
import { MEDIA } from '../support/test-data.js';

describe('packager with the library', () => {
  keepsPackagerContract(new Packager({ ffmpegPath: undefined }), PLAYABLE, MEDIA);
});

FFMPEG.describe('packager with the program', () => {
  keepsPackagerContract(new Packager({ ffmpegPath }), PLAYABLE, MEDIA);
});
