import { describe } from '@jest/globals';
import { keepsAnswering } from '../support/random-requests.js';

describe('2,000 random requests made from the API document', () => keepsAnswering(2_000, 20_260_131));
