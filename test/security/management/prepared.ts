import { constant, nat, oneof } from 'fast-check';
import type { Reply } from '../../support/client.js';
import { memberOf, organizationOf, type ModelOrganization, type ModelUser, type State } from './model.js';

/** A request, and what it may lead to. */
export interface Prepared {
  /** Null: without a key. */
  readonly by: number | null;
  readonly text: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** Carries it out in the model. Returns the outcomes that are right in that state: one if it is done, reasons otherwise. */
  apply(state: State, reply: Reply): readonly string[];
}

/** Turns an action into a request, by what exists before the round; null if what it is about does not exist. */
export type Action = (state: State) => Prepared | null;

export const DONE = ['200'];
export const CREATED = ['201'];

export const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % items.length];

/** Of however many there are. */
export const some = nat(11);

/** Often the first user, who begins as an OWNER of both organizations: requests of others are mostly refused. */
export const anyone = oneof({ weight: 2, arbitrary: constant(0) }, { weight: 3, arbitrary: some });

/** Mostly one of the two that the sequence begins with. */
export const anyOrganization = oneof({ weight: 4, arbitrary: nat(1) }, { weight: 1, arbitrary: some });

/** The number of a user, also of a deleted one. */
export const userAt = ({ users }: State, at: number): number => at % users.length;

export const userOf = ({ users }: State, who: number): ModelUser => users[who]!;

export const organizationAt = ({ organizations }: State, at: number): ModelOrganization =>
  pick(organizations, at)!;

/** A request about an organization: refused alike if it is gone, or the caller is no member. */
export function inOrganization(
  home: ModelOrganization,
  request: Omit<Prepared, 'apply' | 'by'> & { readonly by: number },
  apply: (home: ModelOrganization, state: State, reply: Reply) => readonly string[],
): Prepared {
  return {
    ...request,
    apply: (state, reply) => {
      const found = organizationOf(state, home.id);
      if (!found.alive) return ['404 ORGANIZATION_NOT_FOUND'];
      if (!memberOf(found, request.by)) return ['403 FORBIDDEN'];
      return apply(found, state, reply);
    },
  };
}

/** In messages. */
export const called = (who: number | null): string => (who === null ? 'Somebody' : `User ${who}`);
