import { nat, noBias, type Arbitrary, type GeneratorValue } from '../../support/properties.js';
import type { Reply } from '../../support/client.js';
import { memberOf, organizationOf, type ModelMember, type ModelOrganization, type State } from './model.js';

/** A request, and what it may lead to. */
export interface Planned {
  /** Null: without a key. */
  readonly by: number | null;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /**
   * Carries it out in the model. Returns the outcome that is right in that state if it is done, and every right reason
   * otherwise.
   */
  apply(state: State, reply: Reply): string | readonly string[];
}

/** Plans a request by what exists before the round; null if what it would be about does not exist. */
export type Plan = (state: State, choose: Choices) => Planned | null;

export const DONE = '200';
export const CREATED = '201';
export const INVALID = '400 VALIDATION_ERROR';
export const FORBIDDEN = '403 FORBIDDEN';
export const CONFLICT = '409 CONFLICT';

/** `fast-check` prefers extremes otherwise. */
const evenly = (max: number): Arbitrary<number> => noBias(nat(max));

/**
 * What a random sequence chooses, by what exists at that moment. The numbers are those of fast-check, which repeats
 * them by seed.
 */
export class Choices {
  constructor(private readonly numbers: GeneratorValue) {}

  /** A number from 0. */
  below(count: number): number {
    return this.numbers(evenly, count - 1);
  }

  /** True one time in `count`. */
  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  one<T>(items: readonly [T, ...T[]]): T;
  one<T>(items: readonly T[]): T | undefined;
  one<T>(items: readonly T[]): T | undefined {
    return items[this.below(Math.max(items.length, 1))];
  }

  /** Up to `max` of them. */
  some<T>(items: readonly T[], max: number): T[] {
    const chosen = Array.from({ length: this.below(max + 1) }, () => this.below(items.length));
    return [...new Set(chosen)].map((at) => items[at]!);
  }

  /** The number of a user, also of a deleted one. */
  user({ users }: State): number {
    return this.below(users.length);
  }

  /** Often the first user, who begins as an OWNER of both organizations: requests of others are mostly refused. */
  caller(state: State): number {
    return this.below(5) < 2 ? 0 : this.user(state);
  }

  /** Mostly one of the two that the sequence begins with. */
  organization({ organizations }: State): ModelOrganization {
    return organizations[this.below(this.oneIn(5) ? organizations.length : 2)]!;
  }
}

/** What a request finds in an organization of which the caller is a member. */
interface Found {
  readonly home: ModelOrganization;
  readonly member: ModelMember;
  readonly state: State;
  readonly reply: Reply;
}

/** A request about an organization: refused alike if it is gone, or the caller is no member. */
export function about(
  { id: homeId }: ModelOrganization,
  by: number,
  request: Omit<Planned, 'by' | 'apply'>,
  apply: (found: Found) => string | readonly string[],
): Planned {
  return {
    by,
    ...request,
    path: `/organizations/${homeId}${request.path}`,
    apply: (state, reply) => {
      const home = organizationOf(state, homeId);
      if (!home.alive) return '404 ORGANIZATION_NOT_FOUND';
      const member = memberOf(home, by);
      return member ? apply({ home, member, state, reply }) : FORBIDDEN;
    },
  };
}

export const place = (state: State, choose: Choices): [ModelOrganization, number] => [
  choose.organization(state),
  choose.caller(state),
];

export const idOf = ({ users }: State, who: number): string => users[who]!.id;
