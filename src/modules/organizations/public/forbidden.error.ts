import { DomainError } from '../../../contract/domain-error.js';
import { explainRole } from '../../../policy/advice.js';
import type { Role } from '../../../policy/roles.js';

/** Returns the refusal of what the role of the caller does not permit, such as `invite a member as OWNER`. */
export const forbidden = (role: Role, what: string, permits: (role: Role) => boolean): DomainError =>
  new DomainError('FORBIDDEN', explainRole(role, what, permits));
