import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPE_NAMES } from '../../src/contract/scopes.js';
import { outcome, type Reply } from '../support/client.js';
import { isReplay, keyed } from '../support/idempotency.js';
import { acme, ChangesWorld, gamma, people, plans, REPEATABLE } from './changes-world.js';

/**
 * Every operation that takes an `Idempotency-Key`: while a right is withdrawn, a repeated request gets what the same
 * request gets without the key, and once the right is back, its first reply.
 */

/** SQL that withdraws a right of Ada, and gives it back. */
const KEY = `UPDATE api_keys SET %s WHERE user_id = '${people.ada.id}' AND name = 'test'`;
const key = (assignment: string): string => KEY.replace('%s', assignment);
const rights: Readonly<Record<string, readonly [withdraw: string, giveBack: string]>> = {
  scopes: [key(`scopes = '{events:read}'`), key('scopes = NULL')],
  'the reach of organizations': [key(`organization_ids = '{${gamma.id}}'`), key('organization_ids = NULL')],
  'the reach of recordings in no folder': [
    key(`organization_ids = '{${acme.id}}', folder_ids = '{${plans.id}}'`),
    key('organization_ids = NULL, folder_ids = NULL'),
  ],
  'a life that the organization accepts': [
    `UPDATE organizations SET api_key_max_days = 1 WHERE name <> 'Delta'`,
    'UPDATE organizations SET api_key_max_days = NULL',
  ],
  'a scope that new keys have': [
    key(`scopes = '{${SCOPE_NAMES.slice(0, -1).join(',')}}'`),
    key('scopes = NULL'),
  ],
  'a life without end': [key(`expires_at = now() + interval '1 hour'`), key('expires_at = NULL')],
  'the role of an OWNER': [
    `UPDATE organization_members SET role = 'ADMIN' WHERE organization_id = '${acme.id}' AND user_id = '${people.ada.id}'`,
    `UPDATE organization_members SET role = 'OWNER' WHERE organization_id = '${acme.id}' AND user_id = '${people.ada.id}'`,
  ],
  'any role but that of a VIEWER': [
    `CREATE TABLE kept_roles AS SELECT * FROM organization_members WHERE user_id = '${people.ada.id}';
     UPDATE organization_members SET role = 'VIEWER' WHERE user_id = '${people.ada.id}'`,
    `UPDATE organization_members m SET role = k.role FROM kept_roles k
     WHERE k.organization_id = m.organization_id AND k.user_id = m.user_id;
     DROP TABLE kept_roles`,
  ],
  'the subscription': [
    `UPDATE organizations SET subscription_status = 'expired'`,
    `UPDATE organizations SET subscription_status = 'active'`,
  ],
  features: [
    `UPDATE organizations SET feature_sharing = false, feature_downloads = false, feature_transcription = false, feature_summaries = false, feature_questions = false`,
    `UPDATE organizations SET feature_sharing = true, feature_downloads = true, feature_transcription = true, feature_summaries = true, feature_questions = true`,
  ],
  'the rights of an operator': [
    `UPDATE users SET operator = false WHERE id = '${people.ada.id}'`,
    `UPDATE users SET operator = true WHERE id = '${people.ada.id}'`,
  ],
};
/** What ends with it does not come back. */
const LEAVING = `DELETE FROM organization_members WHERE user_id = '${people.ada.id}'`;

/** They can be carried out once. */
const USED_UP = new Set([
  'POST /organizations/{id}/transfer/accept',
  'POST /invitations/accept',
  'POST /deleted-recordings/{id}/restore',
]);
/** Their replies tell of a key without limits. */
const NEW_KEYS = new Set([
  'POST /api-keys',
  'POST /users/{id}/api-keys',
  'POST /organizations/{id}/service-accounts',
  'POST /organizations/{id}/service-accounts/{accountId}/keys',
]);
const WEAKENING = new Set(['a scope that new keys have', 'a life without end']);
const KEY_RIGHTS = new Set(Object.keys(rights).slice(0, 2));
const REFUSED = [
  expect.any(Number),
  expect.stringMatching(/^(FORBIDDEN|\w+_NOT_FOUND|IDEMPOTENCY_REPLY_LOST)$/),
];

/** Where the first replies have secrets. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  'POST /api-keys': ['key'],
  'POST /users/{id}/api-keys': ['key'],
  'POST /api-keys/{id}/rotate': ['key'],
  'POST /organizations/{id}/invitations': ['invite_url', 'invite_token'],
  'POST /organizations/{id}/invitations/{invitationId}/resend': ['invite_url', 'invite_token'],
  'POST /organizations/{id}/service-accounts': ['api_key.key'],
  'POST /organizations/{id}/service-accounts/{accountId}/keys': ['key'],
  'POST /organizations/{id}/service-accounts/{accountId}/keys/{keyId}/rotate': ['key'],
  'POST /tokens': ['token'],
  'POST /webhooks': ['secret'],
  'POST /webhooks/{id}/rotate-secret': ['secret'],
  'POST /oauth-clients': ['client_secret'],
};
const read = ({ data }: Reply['body'], path: string): string | null =>
  path.split('.').reduce((value, name) => value[name], data);

const isRefusal = ({ status, body }: Reply): boolean =>
  [401, 402, 403, 404].includes(status) && body.error.code !== 'TRANSCRIPT_REVISION_NOT_FOUND';
const codes = (replies: Iterable<readonly [string, Reply]>): string[] =>
  [...replies].map(([name, reply]) => [name, ...outcome(reply)].join(' '));

describe('a repeated request with an Idempotency-Key', () => {
  let world: ChangesWorld;
  const first = new Map<string, Reply>();
  const again = (name: string): Promise<Reply> => world.send(name, keyed(name.replace(' ', ':')));

  beforeAll(async () => {
    world = await ChangesWorld.start();
    for (const name of Object.keys(REPEATABLE)) first.set(name, await again(name));
  });
  afterAll(() => world.stop());

  it('succeeds the first time', () => {
    const refused = [...first].filter(([, { status }]) => status >= 300);
    // Without media, but that is found out after everything else.
    expect(refused.map(([name, { status }]) => [name, status])).toEqual([
      ['POST /recordings/{id}/transcription', 409],
    ]);
  });

  const isLikeAnyOther = async (right: string): Promise<void> => {
    const [withdraw, giveBack] = rights[right] ?? [LEAVING, null];
    const [repeated, fresh] = [new Map<string, Reply>(), new Map<string, Reply>()];
    await world.service.dataSource.query(withdraw);
    try {
      for (const name of first.keys()) repeated.set(name, await again(name));
      for (const name of first.keys()) fresh.set(name, await world.send(name));
    } finally {
      if (giveBack !== null) await world.service.dataSource.query(giveBack);
    }
    const refused = [...fresh].filter(([name, reply]) => !USED_UP.has(name) && isRefusal(reply));
    if (giveBack === null || KEY_RIGHTS.has(right))
      for (const name of USED_UP) expect([name, outcome(repeated.get(name)!)]).toEqual([name, REFUSED]);
    const isLost = ([, { body }]: readonly [string, Reply]): boolean =>
      body.error?.code === 'IDEMPOTENCY_REPLY_LOST';
    // Asked again, a question about all recordings would be answered from others.
    const lost = [...repeated].filter((one) => !USED_UP.has(one[0]) && isLost(one));
    if (giveBack !== null)
      expect(lost.map(([name]) => name)).toEqual(lost.length > 0 ? ['POST /questions'] : []);
    // Without the first reply, they would make a key that can do as little as the key now can.
    const made = [...NEW_KEYS].filter(
      (name) => !isReplay(repeated.get(name)!) && !isRefusal(fresh.get(name)!),
    );
    if (WEAKENING.has(right)) expect(made).toEqual([...NEW_KEYS]);
    for (const name of made) expect(outcome(repeated.get(name)!)).toEqual([403, 'FORBIDDEN']);
    const others = [...repeated].filter(
      (one) => !USED_UP.has(one[0]) && !made.includes(one[0]) && !isReplay(one[1]) && !isLost(one),
    );
    const expected = refused.filter(([name]) => !lost.some(([of]) => of === name));
    expect(codes(others)).toEqual(codes(expected));
  };

  it.each(Object.keys(rights))('is refused like any other after the loss of %s', isLikeAnyOther);

  it('gets its first reply while nothing is missing', async () => {
    for (const name of first.keys()) {
      const { status, body } = first.get(name)!;
      const repeated = await again(name);
      expect([name, repeated.status, isReplay(repeated)]).toEqual([name, status, true]);
      const { notice, ...kept } = repeated.body;
      const secrets = SECRETS[name] ?? [];
      expect([name, notice]).toEqual([
        name,
        secrets.length > 0 ? expect.stringMatching(/POST \S+/) : undefined,
      ]);
      for (const secret of secrets) {
        expect([name, read(body, secret)]).toEqual([
          name,
          expect.stringMatching(/^(mrs_|mrb_|whsec_|inv_|https?:|\w{43}$)/),
        ]);
        expect(read(kept, secret)).toBeNull();
        expect(JSON.stringify(repeated.body)).not.toContain(read(body, secret));
      }
      if (secrets.length === 0) expect([name, kept]).toEqual([name, body]);
    }
  });

  it('is refused like any other after the loss of memberships', () => isLikeAnyOther('memberships'));
});
