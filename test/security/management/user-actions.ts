import { boolean, option, record, type Arbitrary } from 'fast-check';
import { depart, isLastOwner, memberOf, successor, type ModelOrganization, type State } from './model.js';
import { anyone, called, DONE, some, userAt, userOf, type Action } from './prepared.js';

/** Ends all memberships of a user, and deletes their personal recordings. */
function remove(state: State, who: number, newOwner: number | null, by: number): readonly string[] {
  const homes = state.organizations.filter((home) => memberOf(home, who));
  const reasons: string[] = [];
  if (homes.some((home) => isLastOwner(home, who))) reasons.push('409 CONFLICT');
  if (newOwner !== null && homes.some((home) => newOwner === who || !memberOf(home, newOwner))) {
    reasons.push('400 VALIDATION_ERROR');
  }
  if (reasons.length > 0) return reasons;
  const newOwnerIn = (home: ModelOrganization): number => {
    if (newOwner !== null) return newOwner;
    return by !== who && memberOf(home, by) ? by : successor(home, who);
  };
  for (const home of homes) depart(state, home, who, newOwnerIn(home));
  for (const recording of state.recordings) {
    if (recording.home === null && recording.owner === who) recording.deleted = true;
  }
  const { email, verified } = userOf(state, who);
  for (const home of state.organizations) {
    if (verified) home.invitations = home.invitations.filter((invited) => invited.email !== email);
  }
  state.users[who]!.alive = false;
  return DONE;
}

/** By themselves, or by an operator. */
export const deleteUser: Arbitrary<Action> = record({
  caller: anyone,
  subject: some,
  themselves: boolean(),
  named: option(some, { freq: 2 }),
}).map(({ caller, subject: chosen, themselves, named }): Action => (state) => {
  const by = userAt(state, caller);
  const subject = themselves ? by : userAt(state, chosen);
  const newOwner = named === null ? null : userAt(state, named);
  const query = newOwner === null ? '' : `?new_owner=${userOf(state, newOwner).id}`;
  const path = themselves ? '/me' : `/users/${userOf(state, subject).id}`;
  return {
    by,
    text: `${called(by)} deletes ${themselves ? 'themselves' : called(subject)}, new owner ${newOwner}`,
    method: 'DELETE',
    path: path + query,
    apply: (now) => {
      if (!themselves && !userOf(now, by).operator) return ['403 FORBIDDEN'];
      if (!userOf(now, subject).alive) return ['404 NOT_FOUND'];
      return remove(now, subject, newOwner, by);
    },
  };
});
