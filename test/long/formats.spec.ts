import { describe } from '@jest/globals';
import { Packager } from '../../src/modules/pipeline/packaging/packager.js';
import { packagesFormats } from '../support/format-contract.js';
import { FFMPEG, ffmpegPath } from '../support/requirements.js';

describe('media formats with the library', () => packagesFormats(new Packager({ ffmpegPath: undefined })));

FFMPEG.describe('media formats with the program', () => packagesFormats(new Packager({ ffmpegPath })));
