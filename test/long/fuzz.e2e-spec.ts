import { describe } from '@jest/globals';
import { keepsAnswering } from '../support/random-requests.js';

describe('10,000 random requests made from the API document', () => keepsAnswering(10_000, 20_260_132));
