import { describe } from '@jest/globals';
import { packagesFormats } from '../support/format-contract.js';

/** Unlike all others; `test/long/formats.spec.ts` has all formats, and FFmpeg. */
const SOME = new Set([
  'mono-then-stereo.mp3',
  'chained.ogg',
  'truncated.mp4',
  'short-100ms.mp4',
  'mpeg4-mp3.avi',
  'unknown-codec.mp4',
]);

describe('media formats', () => packagesFormats(undefined, SOME));
