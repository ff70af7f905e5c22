import { describe } from '@jest/globals';
import { managementAccess } from './management-access.js';

describe('access to the management of an organization, every other operation', () => managementAccess(0, 2));
