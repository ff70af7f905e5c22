import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { done, outcome } from '../support/client.js';
import { CHANGES, ChangesWorld, meetings, people } from './changes-world.js';

/** Every operation that changes something, by an OWNER who is also an operator. */
describe('what is under legal hold, while everything is tried', () => {
  let world: ChangesWorld;

  beforeAll(async () => {
    world = await ChangesWorld.start();
    const hold = { matter: 'Case', reason: 'Letter', user_ids: [people.ada.id, people.bob.id] };
    await done(world.ada.post('/legal-holds', hold));
  });
  afterAll(() => world.stop());

  /** What is there of recordings and people, with all versions of the texts. */
  const content = async (): Promise<string[]> => {
    const rows: { one: string }[] = await world.service.dataSource.query(
      `SELECT 'recording ' || id AS one FROM recordings WHERE id = ANY ($1)
       UNION SELECT 'transcript ' || recording_id || coalesce(value->>'revision', '') FROM held_versions
         WHERE kind = 'transcript_revisions'
       UNION SELECT 'user ' || id FROM users WHERE id = ANY ($2)
       UNION SELECT 'transcript ' || recording_id || revision FROM transcript_revisions
       UNION SELECT 'summary ' || recording_id || revision FROM summary_revisions
       UNION SELECT 'item ' || id FROM action_items
       UNION SELECT 'item ' || (value->>'id') FROM held_versions WHERE kind = 'action_items'`,
      [meetings, Object.values(people).map(({ id }) => id)],
    );
    return rows.map(({ one }) => one);
  };

  it.each([
    ['DELETE /recordings/{id}', () => world.ada.delete(`/recordings/${meetings[0]}`)],
    [
      'POST /recordings/bulk',
      () => world.ada.post('/recordings/bulk', { action: 'delete', ids: [meetings[0]] }),
    ],
  ] as const)('cannot be deleted: %s', async (_, send) => {
    expect(outcome(await send())).toEqual([409, 'LEGAL_HOLD']);
  });

  it.each(Object.keys(CHANGES).filter((name) => !name.includes('/lift')))(
    'is all there after %s',
    async (name) => {
      const before = await content();
      expect(before.filter((one) => one.startsWith('recording '))).toHaveLength(meetings.length);
      await world.send(name);
      const after = new Set(await content());
      expect(before.filter((one) => !after.has(one))).toEqual([]);
    },
  );
});
