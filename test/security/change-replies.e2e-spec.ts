import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outcome } from '../support/client.js';
import { demoVideo } from '../support/uploads.js';
import { CHANGES, ChangesWorld, documented, people } from './changes-world.js';

/** What was there before, and would be read with other scopes. */
const KNOWN = [
  'Depot',
  'Hall',
  'Sentence',
  'Grace',
  'Call',
  'Acme',
  'Beta',
  'Plans',
  'Bob',
  'bob@',
  'carl@',
  'Bot',
  'ada@',
];
/** What the scope of an operation lets its caller read: answers quote, and operators read all users. */
const READS: Readonly<Record<string, readonly string[]>> = {
  'POST /recordings/{id}/questions': ['Sentence', 'Grace'],
  'POST /questions': ['Sentence', 'Grace', 'Depot'],
  'PATCH /users/{id}': ['Bob', 'bob@'],
  'PUT /organizations/{id}/members/{userId}': ['Bob', 'bob@'],
  'POST /organizations/{id}/service-accounts/{accountId}/keys/{keyId}/rotate': ['Bot'],
  // Of which they are the last OWNER.
  'DELETE /me': ['Beta'],
  // The address that the invitation was for.
  'POST /invitations/accept': ['ada@'],
};
/** Nothing can be transcribed without media, and no last OWNER leaves: both are found out after everything else. */
const REFUSED: Readonly<Record<string, readonly [number, string]>> = {
  'POST /recordings/{id}/transcription': [409, 'CONFLICT'],
  'DELETE /me': [409, 'CONFLICT'],
  // With a legal hold on one of its recordings.
  'DELETE /organizations/{id}': [409, 'LEGAL_HOLD'],
  'DELETE /recordings/{id}/tracks/{trackId}': [409, 'LEGAL_HOLD'],
  // No browser token gets a scope that its key lacks.
  'POST /tokens': [403, 'FORBIDDEN'],
  // An API key with limits knows no session, which has none.
  'DELETE /me/sessions/{id}': [404, 'NOT_FOUND'],
  // Nor connections that may do more.
  'DELETE /me/connections/{id}': [404, 'NOT_FOUND'],
};

describe('the reply to a change', () => {
  let world: ChangesWorld;

  beforeAll(async () => {
    world = await ChangesWorld.start();
  });
  afterAll(() => world.stop());

  const scopesOf = new Map(documented().map(([name, , scopes]) => [name, scopes]));

  it.each(Object.keys(CHANGES))('shows no more than its scopes, and what was sent: %s', async (name) => {
    await world.service.dataSource.query(
      `UPDATE api_keys SET scopes = $1 WHERE user_id = $2 AND name = 'test'`,
      [scopesOf.get(name), people.ada.id],
    );
    const isFile = /^PUT .*\/media$/.test(name);
    const reply = await world.send(name, isFile ? { body: demoVideo() } : {});
    expect([name, ...outcome(reply)]).toEqual([name, ...(REFUSED[name] ?? [expect.any(Number), null])]);
    const sent = JSON.stringify(world.sent(name));
    const shown = JSON.stringify(reply.body);
    const told = KNOWN.filter((text) => shown.includes(text) && !sent.includes(text));
    expect(told.filter((text) => !READS[name]?.includes(text))).toEqual([]);
  });
});
