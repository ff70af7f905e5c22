import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import type { WayIn } from '../../../policy/sessions.js';
import type { User } from '../../users/entities/user.entity.js';
import type { OneTimeSecretsService } from '../one-time-secrets.service.js';

/** How the holder of a link came by it. */
export interface LinkDetails {
  readonly way: Extract<WayIn, 'mail' | 'link'>;
  /** It works only in a browser on the host. */
  readonly loopback?: boolean;
}

/** Issues a link that signs a person in, and returns its path. 403 `FORBIDDEN` for a service account. */
export async function issueLink(
  secrets: OneTimeSecretsService,
  { id: userId, serviceOf }: Pick<User, 'id' | 'serviceOf'>,
  details: LinkDetails,
): Promise<string> {
  if (serviceOf !== null) throw new DomainError('FORBIDDEN', 'Service accounts do not sign in.');
  const minutes = LIMITS.signInLinkMinutes;
  return `/sign-in/link/${await secrets.issue({ purpose: 'link', minutes, userId, details })}`;
}
