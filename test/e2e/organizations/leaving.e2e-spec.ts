import { describe } from '@jest/globals';
import { leavingMeanwhile } from './leaving/requests.js';

describe('while a request of hers is under way', () => leavingMeanwhile([0, 4]));
