import { describe } from '@jest/globals';
import { FfmpegPackager } from '../../src/modules/packaging/ffmpeg.packager.js';
import { MediabunnyPackager } from '../../src/modules/packaging/mediabunny.packager.js';
import { keepsPackagerContract } from '../support/packager-contract.js';
import { PLAYABLE } from '../support/playable-media.js';
import { FFMPEG, ffmpegPath } from '../support/requirements.js';

describe('packager with mediabunny', () => keepsPackagerContract(new MediabunnyPackager(), PLAYABLE));
FFMPEG.describe('packager with FFmpeg', () =>
  keepsPackagerContract(new FfmpegPackager(ffmpegPath ?? ''), PLAYABLE),
);
