import { describe } from '@jest/globals';
import { managementAccess } from './management-access.js';

describe('access to the management of an organization, the other operations', () => managementAccess(1, 2));
