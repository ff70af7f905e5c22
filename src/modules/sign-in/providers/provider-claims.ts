import { z } from '../../../lib/zod.js';
import { isPlainAddress, oneLine } from '../../../lib/text.js';
import { LIMITS } from '../../../contract/limits.js';
import type { IdentityProvider } from '../../../platform/config/identity-providers.js';
import { SignInRefusal } from './sign-in-refusal.js';

/** What a provider says about somebody. Other claims are kept, for grants. */
const CLAIMS = z.looseObject({
  iss: z.string(),
  sub: z.string().min(1).max(LIMITS.subject),
  sid: z.string().max(LIMITS.subject).optional().catch(undefined),
  email: z.string().optional().catch(undefined),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(false),
  name: z.string().optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
});
export type Claims = z.output<typeof CLAIMS>;

/** Reads the claims of an ID token and, where it lacks some, of the user info. */
export function readClaims(idToken: object, userInfo: object): Claims {
  const read = CLAIMS.safeParse({ ...userInfo, ...idToken });
  if (!read.success) throw new SignInRefusal('INVALID_REPLY');
  return read.data;
}

/** Returns their address if it is known to be theirs; null if not. Refuses one outside of the provider's domains. */
export function verifiedAddress(
  { domains, trusts_email: trusted }: Pick<IdentityProvider, 'domains' | 'trusts_email'>,
  { email, email_verified: verified = trusted }: Pick<Claims, 'email' | 'email_verified'>,
): string | null {
  const address = verified && email !== undefined && isPlainAddress(email, LIMITS.email.max) ? email : null;
  if (domains.length === 0) return address;
  if (address === null) throw new SignInRefusal('EMAIL_NOT_VERIFIED');
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  if (!domains.includes(domain)) throw new SignInRefusal('EMAIL_DOMAIN_REFUSED');
  return address;
}

/** Returns the name of a new user. */
export const nameOf = (claims: Claims, email: string): string =>
  [claims.name, claims.preferred_username, email]
    .map((name) => oneLine(name ?? '', LIMITS.name.max))
    .find((name) => name !== '')!;
