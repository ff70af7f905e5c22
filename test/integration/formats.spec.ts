import { describe } from '@jest/globals';
import { Packager } from '../../src/modules/packaging/packager.js';
import { packagesFormats } from '../support/format-contract.js';
import { TAKEN } from '../support/formats.js';

/** What once went wrong, or is unlike all others; `test/long/formats.spec.ts` has all formats, and FFmpeg. */
const SOME = new Set([
  'mono-then-stereo.mp3',
  'leading-zeros.mp3',
  'metadata-on-several-pages.ogg',
  'chained.ogg',
  'truncated.mp4',
  'truncated.wav',
  'truncated.mp3',
  'short-100ms.mp4',
  'short-200ms.webm',
  'adpcm-ms.wav',
  'opus.opus',
  'flac.oga',
  'mpeg4-mp3.avi',
  'wmv2-wmav2.wmv',
]);

describe('media formats', () =>
  packagesFormats(
    new Packager({ ffmpegPath: undefined }),
    TAKEN.filter(({ file }) => SOME.has(file)),
  ));
