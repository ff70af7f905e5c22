import { boolean, constant, oneof, option, record, uniqueArray, type Arbitrary } from 'fast-check';
import { id } from '../../factories/workspace.js';
import { isManager, memberOf, type State } from './model.js';
import {
  anyone,
  anyOrganization,
  called,
  CREATED,
  DONE,
  inOrganization,
  organizationAt,
  pick,
  some,
  userAt,
  userOf,
  type Action,
} from './prepared.js';

const people = option(uniqueArray(some, { maxLength: 3 }));

const numbersOf = (state: State, named: number[] | null): number[] | null =>
  named && [...new Set(named.map((at) => userAt(state, at)))];

const idsOf = (state: State, named: number[] | null): string[] | null =>
  named && named.map((who) => userOf(state, who).id);

export const addFolder: Arbitrary<Action> = record({ caller: anyone, at: anyOrganization, people }).map(
  ({ caller, at, people: chosen }): Action =>
    (state) => {
      const home = organizationAt(state, at);
      const by = userAt(state, caller);
      const named = numbersOf(state, chosen);
      const body = { name: id(), restricted_to: idsOf(state, named) };
      const text = `${called(by)} adds a folder to ${home.id} for ${named}`;
      const path = `/organizations/${home.id}/folders`;
      return inOrganization(home, { by, text, method: 'POST', path, body }, (found, _, reply) => {
        if (!isManager(memberOf(found, by))) return ['403 FORBIDDEN'];
        if (named?.some((one) => !memberOf(found, one))) return ['400 VALIDATION_ERROR'];
        found.folders.push({ id: reply.body.data?.id, active: true, named: named && [...named] });
        return CREATED;
      });
    },
);

export const changeFolder: Arbitrary<Action> = record({
  caller: anyone,
  at: anyOrganization,
  which: some,
  change: oneof(record({ active: boolean() }), record({ people }), constant<'delete'>('delete')),
}).map(({ caller, at, which, change }): Action => (state) => {
  const home = organizationAt(state, at);
  const by = userAt(state, caller);
  const folder = pick(home.folders, which);
  if (!folder) return null;
  const named = change !== 'delete' && 'people' in change ? numbersOf(state, change.people) : undefined;
  const path = `/organizations/${home.id}/folders/${folder.id}`;
  const text = `${called(by)} changes folder ${which} of ${home.id}: ${JSON.stringify(change)}`;
  const method = change === 'delete' ? 'DELETE' : 'PATCH';
  const body =
    named !== undefined
      ? { restricted_to: idsOf(state, named) }
      : change !== 'delete' && 'active' in change
        ? { is_active: change.active }
        : undefined;
  return inOrganization(home, { by, text, method, path, body }, (found, all) => {
    if (!isManager(memberOf(found, by))) return ['403 FORBIDDEN'];
    const existing = found.folders.find(({ id: given }) => given === folder.id);
    if (!existing) return ['404 FOLDER_NOT_FOUND'];
    if (change === 'delete') {
      found.folders = found.folders.filter((one) => one !== existing);
      for (const recording of all.recordings) {
        if (recording.folder === folder.id) recording.folder = null;
      }
      return DONE;
    }
    if ('active' in change) existing.active = change.active;
    else if (named?.some((one) => !memberOf(found, one))) return ['400 VALIDATION_ERROR'];
    else existing.named = named ? [...named] : null;
    return DONE;
  });
});
