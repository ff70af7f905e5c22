import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PublishedEvent } from '../../src/modules/events/public/published-event.js';
import { ChangePublishingService } from '../../src/modules/events/publishing/change-publishing.service.js';
import { id, keyOf, user } from '../factories/workspace.js';
import { eventually, startService, type TestService } from '../support/service.js';

const CREATED = `
  INSERT INTO change_log (type, actor_kind, target_id, user_id, details)
  SELECT 'api_key.created', 'service', $1, gen_random_uuid(), '{"prefix": "mrs_"}' FROM generate_series(1, $2)`;

describe('publishing', () => {
  let service: TestService;
  let publisher: ChangePublishingService;
  const ada = user('Ada');

  beforeEach(async () => {
    service = await startService();
    await service.import({ users: [ada] });
    publisher = service.app.get(ChangePublishingService);
  });
  afterEach(async () => {
    await publisher.stop();
    await service.stop();
  });

  const published = async (targetId: string): Promise<{ position: string; change_id: string }[]> =>
    service.dataSource.query(
      `SELECT e.position, e.change_id FROM events e JOIN change_log c ON c.at = e.at AND c.id = e.change_id
       WHERE c.target_id = $1 ORDER BY e.position`,
      [targetId],
    );

  it('gives each change one position, in the order of its transaction', async () => {
    await publisher.start();
    const target = id();
    await service.dataSource.query(CREATED, [target, 1_200]);
    await eventually(async () => expect(await published(target)).toHaveLength(1_200));
    const ids = (await published(target)).map(({ change_id: changeId }) => changeId);
    expect(ids).toEqual(ids.toSorted());
    expect(await service.dataSource.query('SELECT FROM unpublished_changes')).toEqual([]);
  });

  it('is never passed by a transaction that commits late', async () => {
    await publisher.start();
    const [early, late] = [id(), id()];
    const runner = service.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query(CREATED, [late, 1]);
    await service.dataSource.query(CREATED, [early, 1]);
    await eventually(async () => expect(await published(early)).toHaveLength(1));
    expect(await published(late)).toEqual([]);
    await runner.commitTransaction();
    await runner.release();
    await eventually(async () => expect(await published(late)).toHaveLength(1));
    const positionOf = async (target: string): Promise<bigint> =>
      BigInt((await published(target))[0]!.position);
    expect(await positionOf(late)).toBeGreaterThan(await positionOf(early));
  });

  it('publishes nothing that a consumer has failed on, and all of it once when it recovers', async () => {
    const seen: PublishedEvent[] = [];
    let fails = true;
    publisher.consume(async (manager, events) => {
      await manager.query('SELECT 1');
      if (fails) throw new Error('cannot act on these');
      seen.push(...events);
    });
    await publisher.start();
    const target = id();
    await service.dataSource.query(CREATED, [target, 3]);
    await service.api.as(keyOf('Ada')).post('/api-keys', { name: 'laptop' });
    expect(await published(target)).toEqual([]);
    fails = false;
    await eventually(async () => expect(await published(target)).toHaveLength(3));
    const ids = seen.map(({ changeId }) => changeId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining((await published(target)).map(({ change_id: one }) => one)));
  });
});
