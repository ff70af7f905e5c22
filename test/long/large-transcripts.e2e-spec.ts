import { describe } from '@jest/globals';
import { largeFile } from '../e2e/transcripts/large-files/large-file.js';

describe('the transcript of a very long meeting', () => largeFile(40_000));
