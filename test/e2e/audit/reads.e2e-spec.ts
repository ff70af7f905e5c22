import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReadsService } from '../../../src/modules/audit/reads.service.js';
import { keyOf, member, user } from '../../factories/workspace.js';
import { SharedMedia } from '../../support/shared-media.js';

const READS = 'type=recording.watched,transcript.read,share_link.opened';

describe('who watched and read what, with AUDIT_READS=true', () => {
  let media: SharedMedia;
  const grace = user('Grace');

  beforeAll(async () => {
    media = await SharedMedia.start(false, {
      users: [grace],
      members: [member('Grace', 'ADMIN')],
      settings: { AUDIT_READS: 'true', TRUST_PROXY: 'loopback' },
    });
  }, 60_000);
  afterAll(() => media.stop());

  it('is in the audit log once in an hour: by whom, from where, of which organization', async () => {
    const { api, app } = media.service;
    const link = await media.link();
    const { video, hls, segment } = await media.addressesFor(keyOf('Grace'));
    const shared = await media.addresses(await media.grant(link));
    for (let time = 0; time < 2; time += 1) {
      for (const url of [video, hls, segment]) expect((await fetch(url)).status).toBe(200);
      expect((await fetch(shared.video)).status).toBe(200);
      const path = `/recordings/${media.filmId}/transcript`;
      expect((await api.as(keyOf('Grace')).get(path)).status).toBe(200);
      for (const address of ['203.0.113.1', '203.0.113.2']) {
        const reply = await api.get(`/shares/token-${link}`, { headers: { 'X-Forwarded-For': address } });
        expect(reply.status).toBe(200);
      }
    }
    await app.get(ReadsService).flush();
    const [{ organization_id: acme }] = await media.service.dataSource.query(
      'SELECT organization_id FROM recordings WHERE id = $1',
      [media.filmId],
    );
    const { body } = await media.ada.get(`/organizations/${acme}/audit-log?${READS}`);
    // Without the preparation of this test, by Ada.
    const entries = body.data.filter(({ actor }: { actor: { name: string } }) => actor.name !== 'Ada');
    const seen = entries.map((entry: { type: string; actor: { kind: string }; address: string }) =>
      [entry.type, entry.actor.kind, entry.address].join(' '),
    );
    expect(seen.toSorted()).toEqual([
      'recording.watched recipient 127.0.0.1',
      'recording.watched user 127.0.0.1',
      'share_link.opened recipient 203.0.113.1',
      'share_link.opened recipient 203.0.113.2',
      'transcript.read user 127.0.0.1',
    ]);
    const isOfUser = ({ actor }: { actor: { kind: string } }) => actor.kind === 'user';
    expect(entries.find(isOfUser)).toMatchObject({
      actor: { id: grace.id },
      recording_id: media.filmId,
      target_id: media.filmId,
    });
    expect(body.data.find((entry: { type: string }) => entry.type === 'share_link.opened')).toMatchObject({
      recording_id: media.filmId,
      target_id: link,
    });
  });

  it('has no entry for a read that is refused', async () => {
    const before = await media.service.dataSource.query('SELECT count(*) FROM change_log');
    const { api } = media.service;
    expect((await api.get('/shares/unknown')).status).toBe(404);
    expect((await api.as(keyOf('Grace')).get(`/recordings/${grace.id}/transcript`)).status).toBe(404);
    await media.service.app.get(ReadsService).flush();
    expect(await media.service.dataSource.query('SELECT count(*) FROM change_log')).toEqual(before);
  });
});
