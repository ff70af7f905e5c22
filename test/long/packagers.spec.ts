import { describe } from '@jest/globals';
import { FfmpegPackager } from '../../src/modules/packaging/ffmpeg/ffmpeg.packager.js';
import { LibavPackager } from '../../src/modules/packaging/libav/libav.packager.js';
import { keepsPackagerContract } from '../support/packager-contract.js';
import { PLAYABLE } from '../support/playable-media.js';
import { FFMPEG, ffmpegPath } from '../support/requirements.js';
import { MEDIA } from '../support/test-data.js';

describe('packager with the library', () => keepsPackagerContract(new LibavPackager(), PLAYABLE, MEDIA));

FFMPEG.describe('packager with the program', () =>
  keepsPackagerContract(new FfmpegPackager(ffmpegPath ?? ''), PLAYABLE, MEDIA),
);
