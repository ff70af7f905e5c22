import { DomainError } from '../../../contract/domain-error.js';
import type { Role } from '../../../policy/roles.js';

/** Returns the refusal of what the role of the caller does not permit, such as `invite a member as OWNER`. */
export const forbidden = (role: Role, what = 'do this'): DomainError =>
  new DomainError('FORBIDDEN', `The role ${role} cannot ${what}.`);
