import { describe } from '@jest/globals';
import { largeFile } from './large-files/large-file.js';

describe('the transcript of a long meeting', () => largeFile(12_000));
