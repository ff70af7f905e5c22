import { describe } from '@jest/globals';
import { largeFile } from '../e2e/transcripts/large-files/large-file.js';

describe('the transcript of a long meeting', () => largeFile(12_000));
