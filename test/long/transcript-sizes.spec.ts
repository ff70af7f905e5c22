import { describe } from '@jest/globals';
import { keepsParsingLinear } from '../support/linear-parsing.js';

describe('large transcript files', () => keepsParsingLinear({ kilobytes: 2_000, seconds: 5 }));
