import { describe } from '@jest/globals';
import { FfmpegPackager } from '../../src/modules/packaging/ffmpeg/ffmpeg.packager.js';
import { LibavPackager } from '../../src/modules/packaging/libav/libav.packager.js';
import { packagesFormats } from '../support/format-contract.js';
import { TAKEN } from '../support/formats.js';
import { FFMPEG, ffmpegPath } from '../support/requirements.js';

describe('media formats with the library', () => packagesFormats(new LibavPackager(), TAKEN));

FFMPEG.describe('media formats with the program', () =>
  packagesFormats(new FfmpegPackager(ffmpegPath ?? ''), TAKEN),
);
