import { DomainError } from '../../../contract/domain-error.js';
import type { KeyScopes, Scope } from '../../../contract/scopes.js';
import { RepeatableDecision } from '../../../platform/idempotency/repeatable-decision.js';
import { explainOperatorsOnly } from '../../../policy/advice.js';
import type { Caller } from '../../../policy/caller.js';
import { reachesAll, reachesEverything, reachOf, type Asker } from '../../../policy/reach.js';
import { scopeRefusal } from '../../../policy/api-keys.js';

/** What services require of the API key of a request, and of its user, whatever the request is about. */

export const HAVING_SCOPES = new RepeatableDecision<readonly Scope[]>('scopes');
export const REACHING = new RepeatableDecision<{ readonly all: boolean; readonly what: string }>('reach');
export const OPERATING = new RepeatableDecision<{ readonly what: string; readonly scope?: OperatorScope }>(
  'operator',
);

type OperatorScope = 'operator' | 'users:manage';

export function requireScopes(
  { apiKey }: { readonly apiKey: { readonly scopes: KeyScopes } },
  required: readonly Scope[],
): void {
  const refusal = scopeRefusal(apiKey.scopes, required);
  if (refusal) throw refusal;
  HAVING_SCOPES.note(required);
}

/** Refuses what belongs to no organization, or to a new one, to a key that is limited to some. */
export function requireReachOfEverything(asker: Asker, what: string): void {
  REACHING.note({ all: false, what });
  if (reachesEverything(reachOf(asker))) return;
  throw new DomainError(
    'FORBIDDEN',
    `This API key is limited to certain organizations, so it cannot ${what}.`,
  );
}

/** Refuses what concerns all organizations of the user to a key that any of them does not accept, or that is limited. */
export function requireReachOfAll(asker: Asker, what: string): void {
  requireReachOfEverything(asker, what);
  REACHING.note({ all: true, what });
  if (reachesAll(reachOf(asker))) return;
  throw new DomainError(
    'FORBIDDEN',
    `Some of your organizations do not accept this API key or session, because of how long it works or how you signed in, so it cannot ${what}. GET /api/v1/me names them in api_key.refused_by or session.refused_by.`,
  );
}

/** Refuses anyone but operators, and operators with a key that is not an operator's, or without the scope. */
export function requireOperator(
  { operator, managesUsers }: Pick<Caller, 'operator'> & Partial<Pick<Caller, 'managesUsers'>>,
  what: string,
  scope: OperatorScope = 'operator',
): void {
  if (!operator && !(scope === 'users:manage' && managesUsers))
    throw new DomainError('FORBIDDEN', ...explainOperatorsOnly(what));
  OPERATING.note({ what, scope });
}
