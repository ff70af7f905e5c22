import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  folder,
  id,
  organization,
  ownDeletion,
  recording,
  transcript,
  user,
} from '../../../factories/workspace.js';
import type { Client, Reply } from '../../../support/client.js';
import { startService, type TestService } from '../../../support/service.js';

type As = (name: 'Mia' | 'Rex') => Client;

interface Target {
  readonly home: string;
  readonly rex: string;
  readonly folder: string;
  readonly recording: string;
  /** Id of Mia. */
  readonly mia: string;
  /** Address of Mia. */
  readonly email: string;
  /** Of an invitation of Mia to another organization. */
  readonly token: string;
}

/** Requests of Mia that lock what the end of her membership locks too, and how they are answered if they come first. */
const REQUESTS: readonly (readonly [string, (as: As, target: Target) => Promise<Reply>, number])[] = [
  [
    'moves of others within it',
    (as, to) => as('Rex').patch(`/recordings/${to.recording}`, { organization_id: to.home, folder_id: null }),
    200,
  ],
  [
    'moves out of it',
    (as, to) => as('Mia').patch(`/recordings/${to.recording}`, { organization_id: null }),
    200,
  ],
  ['share links', (as, to) => as('Mia').post(`/recordings/${to.recording}/share-link`, { label: 'x' }), 201],
  [
    'corrections of transcripts',
    (as, to) => as('Mia').patch(`/recordings/${to.recording}/transcript/segments/0`, { text: 'x' }),
    200,
  ],
  [
    'bulk deletions',
    (as, to) => as('Mia').post('/recordings/bulk', { ids: [to.recording], action: 'delete' }),
    200,
  ],
  [
    'new recordings',
    (as, to) => as('Mia').post('/recordings', { title: 'x', organization_id: to.home, folder_id: to.folder }),
    201,
  ],
  ['new media', (as, to) => as('Mia').post(`/recordings/${to.recording}/upload`, { size: 1 }), 201],
];

/** Requests that lock the user, or what the user's deletion depends on. */
const OWN_REQUESTS: typeof REQUESTS = [
  [
    'her role',
    (as, to) => as('Mia').patch(`/organizations/${to.home}/members/${to.mia}`, { role: 'ADMIN' }),
    200,
  ],
  ['organizations', (as) => as('Mia').post('/organizations', { name: 'x' }), 201],
  ['API keys', (as) => as('Mia').post('/api-keys', { name: 'x' }), 201],
  ['personal recordings', (as) => as('Mia').post('/recordings', { title: 'x', media: 'none' }), 201],
  ['accepted invitations', (as, { token }) => as('Mia').post('/invitations/accept', { token }), 201],
];

/**
 * They must neither wait for each other without end nor fail. The request is that many milliseconds ahead, in one round
 * each.
 */
export function leavingMeanwhile(aheadMs: readonly number[]): void {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_COSTLY_PER_MINUTE: '0', MAX_OPEN_UPLOADS: '100' });
  });
  afterAll(() => service.stop());

  /** A new Mia, who is an OWNER together with a new Rex: nobody can be OWNER of as many organizations as there are rounds. */
  async function prepare(): Promise<{ readonly target: Target; readonly as: As }> {
    const key = `mrs_${id().replaceAll('-', '')}`;
    const mia = user('Mia', { email: `mia-${id()}@acme.test`, apiKeys: [{ name: 'test', key }] });
    const rexKey = `mrs_${id().replaceAll('-', '')}`;
    const rex = user('Rex', { email: `rex-${id()}@acme.test`, apiKeys: [{ name: 'test', key: rexKey }] });
    const isOwner = { email: rex.email, role: 'OWNER' };
    const shelf = folder('Shelf');
    const home = organization(`Home ${id()}`, {
      members: [{ email: mia.email, role: 'OWNER' }, isOwner],
      folders: [shelf],
    });
    const other = organization(`Other ${id()}`, { members: [isOwner] });
    const made = recording('Mia', {
      owner: mia.email,
      organization: home.name,
      transcript: transcript(1),
    });
    await service.import({ users: [mia, rex], organizations: [home, other], recordings: [made] });
    const as = (name: 'Mia' | 'Rex'): Client => service.api.as(name === 'Mia' ? key : rexKey);
    const invited = await as('Rex').post(`/organizations/${other.id}/invitations`, {
      email: mia.email,
      role: 'EDITOR',
    });
    const target = {
      home: home.id,
      folder: shelf.id,
      recording: made.id,
      mia: mia.id,
      email: mia.email,
      rex: rex.id,
    };
    return { target: { ...target, token: invited.body.data.invite_token }, as };
  }

  /** Every recording of the organization belongs to a member of it. */
  async function expectOwned({ home, rex }: Target): Promise<void> {
    const owners = await service.dataSource.query(
      'SELECT DISTINCT owner_id FROM recordings WHERE organization_id = $1 AND owner_id IS DISTINCT FROM $2',
      [home, rex],
    );
    expect(owners).toEqual([]);
  }

  it.each(REQUESTS)('a member leaves: %s', async (_, send, done) => {
    for (const ahead of aheadMs) {
      const { target, as } = await prepare();
      const sent = send(as, target);
      await setTimeout(ahead);
      const left = await as('Mia').delete(`/organizations/${target.home}/members/${target.mia}`);
      // 403 and 404 for what Mia can no longer do or see.
      expect([left.status, [done, 403, 404]]).toEqual([200, expect.arrayContaining([(await sent).status])]);
      await expectOwned(target);
    }
  });

  it.each([...REQUESTS, ...OWN_REQUESTS])('a user deletes herself: %s', async (_, send, done) => {
    for (const ahead of aheadMs) {
      const { target, as } = await prepare();
      const sent = send(as, target);
      await setTimeout(ahead);
      const deleted = await as('Mia').delete(ownDeletion(target.email));
      const status = (await sent).status;
      // A new organization, of which Mia is the last OWNER, prevents it.
      const outcomes = done === 201 && deleted.status === 409 ? [201] : [done, 401, 403, 404];
      expect([done === 201 ? [200, 409] : [200], outcomes]).toEqual([
        expect.arrayContaining([deleted.status]),
        expect.arrayContaining([status]),
      ]);
      if (deleted.status === 200) await expectOwned(target);
    }
  });
}
