import { describe } from '@jest/globals';
import { keepsAnswering } from '../support/random-requests.js';

describe('500 random requests made from the API document', () => keepsAnswering(500, 20_260_131));
