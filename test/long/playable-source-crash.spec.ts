import { expect } from '@jest/globals';
import { keyOf, user } from '../factories/workspace.js';
import { expectSource, uploadHeld, WEBM } from '../support/conversions.js';
import { sha256 } from '../support/objects.js';
import { settled } from '../support/packaged.js';
import { LINUX } from '../support/requirements.js';
import { eventually, startService } from '../support/service.js';

LINUX.it(
  'a worker that is killed leaves it playable, and the next one does not move what is being played',
  async () => {
    const service = await startService();
    const ada = service.api.as(keyOf('Ada'));
    await service.import({ users: [user('Ada')] });
    const stored = async () => {
      const sql = 'SELECT media_key, source_key, source_type, source_sha256 FROM recordings';
      return (await service.dataSource.query<Record<string, string | null>[]>(sql))[0]!;
    };
    const worker = await service.startWorker();
    const { id, detail, signal } = await uploadHeld(ada);
    const source = (await stored())['media_key'];
    await worker.kill('SIGKILL');
    signal('SIGKILL');
    await expectSource(detail.videoUrl);
    expect((await ada.get(`/recordings/${id}`)).body.data).toMatchObject({
      status: 'MIGRATING',
      hlsUrl: null,
    });

    await service.startWorker();
    await settled(ada, id, { onLook: () => expectSource(detail.videoUrl) });
    expect(await stored()).toEqual({
      media_key: expect.stringMatching(/video\.mp4$/),
      source_key: source,
      source_type: 'video/webm',
      source_sha256: sha256(WEBM),
    });
    await eventually(async () => {
      const sources = (await service.objects()).filter((key) => /(source|parts.*)$/.test(key));
      expect(sources).toEqual([source]);
    });
    await service.stop();
  },
  60_000,
);
