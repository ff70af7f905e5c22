import { describe } from '@jest/globals';
import { packagesFormats } from '../support/format-contract.js';
import { FFMPEG, ffmpegPath } from '../support/requirements.js';

describe('media formats with the library', () => packagesFormats(undefined));

FFMPEG.describe('media formats with the program', () => packagesFormats(ffmpegPath));
