import { CLI } from '../contract/cli.js';
import { DomainError } from '../contract/domain-error.js';
import { hasScope, type KeyScopes, type Scope } from '../contract/scopes.js';

/** The first of the required scopes that a key lacks; null if it has all. */
export const missingScope = (scopes: KeyScopes, required: readonly Scope[]): Scope | null =>
  required.find((scope) => !hasScope(scopes, scope)) ?? null;

/** What a key that lacks one of the scopes is refused with: 403 `FORBIDDEN`, which says how to get another. */
export function scopeRefusal(scopes: KeyScopes, required: readonly Scope[]): DomainError | null {
  const missing = missingScope(scopes, required);
  return missing === null ? null : explainMissingScope(missing);
}

function explainMissingScope(scope: Scope): DomainError {
  const advice = `An operator creates one with "${CLI} keys create --email EMAIL --name NAME --scopes ${scope}"`;
  const message = `This API key does not have the scope ${scope}. Use one that has. ${advice}.`;
  return new DomainError('FORBIDDEN', message, { advice });
}
