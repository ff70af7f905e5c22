import { describe } from '@jest/globals';
import { withdrawnJobs } from '../e2e/organizations/at-once/jobs.js';

describe('what is withdrawn in an organization ends jobs under way', () =>
  withdrawnJobs({ everyKind: false }));
