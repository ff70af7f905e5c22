import { describe } from '@jest/globals';
import { FfmpegPackager } from '../../src/modules/packaging/ffmpeg/ffmpeg.packager.js';
import { MediabunnyPackager } from '../../src/modules/packaging/mediabunny/mediabunny.packager.js';
import { packagesFormats } from '../support/format-contract.js';
import { TAKEN } from '../support/formats.js';
import { FFMPEG, ffmpegPath } from '../support/requirements.js';

describe('media formats', () => packagesFormats(new MediabunnyPackager(), TAKEN));

FFMPEG.describe('media formats with FFmpeg', () =>
  packagesFormats(new FfmpegPackager(ffmpegPath ?? ''), TAKEN),
);
