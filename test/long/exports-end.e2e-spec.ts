import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { keyOf, recording, transcript, user } from '../factories/workspace.js';
import { done } from '../support/client.js';
import { ended, filesOf, jsonIn } from '../support/exports.js';
import { startService, waitingForLocks, type TestService } from '../support/service.js';
import { mountSmallDisk, SMALL_DISKS, unmount } from '../support/small-disk.js';

const mine = recording('Ada', { transcript: transcript(3) });
const OF_MINE = `/recordings/${mine.id}/exports`;
const zipsOf = async (service: TestService): Promise<string[]> =>
  (await service.objects()).filter((key) => key.startsWith('exports/'));

describe('an export', () => {
  it('is written anew after its worker was killed, and nothing of the first attempt stays', async () => {
    const service = await startService();
    try {
      await service.import({ users: [user('Ada')], recordings: [mine] });
      const ada = service.api.as(keyOf('Ada'));
      const runner = service.dataSource.createQueryRunner();
      await runner.startTransaction();
      await runner.query('LOCK TABLE summaries IN ACCESS EXCLUSIVE MODE');
      const { id } = await done(ada.post(OF_MINE));
      const killed = await service.startWorker();
      await waitingForLocks(service, 1);
      const [before] = await service.dataSource.query('SELECT attempt_id FROM exports');
      await killed.kill('SIGKILL');
      await runner.commitTransaction();
      await runner.release();
      await service.startWorker();
      const found = await ended(ada, id);
      expect(jsonIn(await filesOf(found), 'workspace.json').recordings).toMatchObject([{ id: mine.id }]);
      const [after] = await service.dataSource.query('SELECT attempt_id FROM exports');
      expect(after.attempt_id).not.toBe(before.attempt_id);
      expect(await zipsOf(service)).toEqual([`exports/${id}/${after.attempt_id}.zip`]);
    } finally {
      await service.stop();
    }
  });

  SMALL_DISKS.it('that fills the disk fails, says so, and leaves nothing behind', async () => {
    const service = await startService({ MIN_FREE_DISK: '0' }, { worker: true });
    const objects = join(service.dataDir, 'objects');
    await mkdir(objects, { recursive: true });
    mountSmallDisk(objects);
    try {
      await mkdir(join(objects, '.partial'));
      const video = { 'call.mp4': Buffer.alloc(20 * 1024 * 1024) };
      await service.import(
        { users: [user('Ada')], recordings: [{ ...mine, media: 'call.mp4', status: 'ERROR' }] },
        video,
      );
      const ada = service.api.as(keyOf('Ada'));
      await service.dataSource.query(`UPDATE recordings SET status = 'COMPLETED'`);
      const { id } = await done(ada.post(OF_MINE));
      expect(await ended(ada, id)).toMatchObject({
        status: 'failed',
        status_reason: 'The storage of the service is full. Request the export again when there is room.',
      });
      expect(await zipsOf(service)).toEqual([]);
    } finally {
      unmount(objects);
      await service.stop();
    }
  });
});
