import { describe } from '@jest/globals';
import { leavingMeanwhile } from '../e2e/organizations/leaving/requests.js';

describe('while a request of hers is under way, in many orders', () =>
  leavingMeanwhile(Array.from({ length: 20 }, (_, round) => round)));
