import { describe } from '@jest/globals';
import { keepsAnswering } from '../support/random-requests.js';

describe('250 random requests made from the API document', () => keepsAnswering(250, 20_261_208));
