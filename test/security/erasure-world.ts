import { expect } from '@jest/globals';
import { ApiKeyUsageService } from '../../src/modules/api-keys/api-key-usage.service.js';
import { SecurityEventsService } from '../../src/modules/audit/security-events.service.js';
import { addParts, PARTS_OF_VIEWERS } from '../factories/parts.js';
import { id, keyOf, member, organization, user } from '../factories/workspace.js';
import { addPasskey } from '../support/authenticator.js';
import { Client, done, type Reply, type RequestOptions } from '../support/client.js';
import { hashSecret } from '../../src/platform/secrets/secrets.js';
import { keyed } from '../support/idempotency.js';
import { directoryOf, type Scim } from '../support/scim.js';
import type { TestService } from '../support/service.js';
import { signedIn } from '../support/sessions.js';
import { demoVideo, TUS } from '../support/uploads.js';
import type { WebhookReceiver } from '../support/webhook-receiver.js';
import { allSent, createdWebhook, type CreatedWebhook } from '../support/webhooks.js';

/** What each subject's details contain, in whatever text. */
export const MARKERS = {
  user: 'zuuqdeleteduser',
  member: 'zmmqleavingmember',
  recording: 'zrrqdeletedrecording',
  organization: 'zooqdeletedorganization',
} as const;

/** From where the user's requests come. */
export const ADDRESS = '203.0.113.77';

export interface ErasureWorld {
  readonly olga: Client;
  readonly dora: Client;
  readonly leaving: Client;
  readonly leavingId: string;
  /** The user who will be deleted. */
  readonly doomed: Client;
  readonly doomedId: string;
  readonly doomedEmail: string;
  /** Of Olga. */
  readonly acme: string;
  /** Of Dora, with Olga as ADMIN. */
  readonly gone: string;
  /** In Acme, of Olga. */
  readonly recordings: readonly string[];
  /** Of Olga, which sees everything, and of Acme. */
  readonly webhooks: readonly CreatedWebhook[];
  /** Kept replies that have details of each subject, and the requests that get them again. */
  readonly again: Readonly<Record<keyof typeof MARKERS, () => Promise<Reply>>>;
}

/** As where deleted recordings can be restored. */
const TO_BIN = `UPDATE recordings SET deleted_at = now(), purge_at = now() + interval '30 days', owner_id = NULL,
  organization_id = NULL, deleted_owner_id = owner_id, deleted_organization_id = organization_id WHERE id = $1`;

/** Has a directory say a text of users, by their addresses, wherever it says something. */
async function describeAll(directory: Scim, users: readonly (readonly [email: string, text: string])[]) {
  for (const [email, text] of users) {
    const name = { formatted: text, givenName: text, familyName: text };
    const described = { userName: `${text}@acme.test`, externalId: text, displayName: text, name };
    const { body } = await directory.post('/Users', { ...described, emails: [{ value: email }] });
    const { status } = await directory.put(`/Users/${body.id}`, { ...described, emails: [] });
    expect(status).toBe(200);
  }
}

/** A workspace in which every feature that copies personal details has been used. */
export async function erasureWorld(service: TestService, receiver: WebhookReceiver): Promise<ErasureWorld> {
  const m = MARKERS;
  const mona = user('Mona', {
    externalId: `${m.member} id`,
    metadata: { crm: m.member },
    name: `${m.member} name`,
    email: `${m.member}@acme.test`,
  });
  await service.import({ users: [user('Olga'), user('Dora'), mona] });
  const as = (name: string): Client => service.api.as(keyOf(name));
  const [olga, dora, leaving] = [as('Olga'), as('Dora'), as('Mona')];
  const acme = organization('Acme', {
    members: [member('Olga', 'OWNER'), { ...member('Mona', 'EDITOR'), email: mona.email }],
  });
  const gone = organization(`${m.organization} name`, {
    externalId: `${m.organization} id`,
    metadata: { crm: m.organization },
    members: [member('Dora', 'OWNER'), member('Olga', 'ADMIN')],
  });
  const inAcme = `/organizations/${acme.id}`;
  const inGone = `/organizations/${gone.id}`;
  const leavingId = mona.id;
  await done(leaving.post('/api-keys', { name: `${m.member} laptop` }));

  // Sends back what it was sent; some of it in vain, but not events that later ones wait for.
  receiver.behaviour = (response, request) => {
    const last = receiver.received.findLast(({ path }) => path === request.url);
    const fails = request.url === '/acme' && last?.body.data.recording_id === undefined;
    response.writeHead(fails ? 500 : 200).end(last?.text);
  };
  const beta = organization('Beta', { members: [member('Dora', 'OWNER')] });
  await service.import({ organizations: [acme, gone, beta] });
  const webhooks = [
    await createdWebhook(olga, { url: receiver.url('/olga') }),
    await createdWebhook(olga, { url: receiver.url('/acme'), organization_id: acme.id }),
  ];
  await createdWebhook(dora, {
    url: receiver.url(`/gone?${m.organization}`),
    description: `${m.organization} description`,
    organization_id: gone.id,
  });

  // Joins by invitation, the second of which is pending when the user is deleted.
  const email = `${m.user}@acme.test`;
  const invitation = await done(olga.post(`${inAcme}/invitations`, { email, role: 'EDITOR' }));
  await done(dora.post(`/organizations/${beta.id}/invitations`, { email, role: 'VIEWER' }));
  const token = `inv_${'0'.repeat(43)}`;
  await service.dataSource.query('UPDATE invitations SET token_hash = $2 WHERE id = $1', [
    invitation.id,
    hashSecret(token),
  ]);
  const anonymous = new ProxiedClient(service.api.base);
  const accepted = await done(anonymous.post('/invitations/accept', { token, name: `${m.user} name` }));
  const doomed = new ProxiedClient(service.api.base, accepted.key);
  const doomedId = accepted.user.id as string;
  // Of somebody who has become a member in another way since.
  await refused(service, acme.id, mona.email);
  await refused(service, gone.id, `${m.organization}@acme.test`);

  await describeAll(await directoryOf(service, olga, acme.id), [
    [mona.email, m.member],
    [email, m.user],
  ]);
  const directory = await directoryOf(service, dora, gone.id);
  await describeAll(directory, [['olga@acme.test', m.organization]]);
  await directory.post('/Groups', { displayName: m.organization, externalId: m.organization });

  await done(doomed.post('/api-keys', { name: `${m.user} laptop` }));
  await service.dataSource.query(`UPDATE users SET external_id = $2, metadata = $3 WHERE id = $1`, [
    doomedId,
    `${m.user} id`,
    JSON.stringify({ crm: m.user }),
  ]);
  for (const [subject, userId] of [
    [m.user, doomedId],
    [m.member, leavingId],
  ])
    await service.dataSource.query(
      `INSERT INTO identities VALUES ('https://acme.test', $1, $2, 'acme', now(), now())`,
      [`${subject} subject`, userId],
    );
  for (const [who, marker] of [
    [doomed, m.user],
    [leaving, m.member],
  ] as const)
    await addPasskey(await signedIn(service, who, { way: 'link' }, `${marker} browser`), {
      name: `${marker} phone`,
    });
  await createdWebhook(doomed, { url: receiver.url(`/own?${m.user}`), description: `${m.user} hook` });
  const [personal] = await filled(service, doomed, m.user, {});
  await done(doomed.get(`/recordings/search?q=${m.user}`));
  await doomed.get(`${inAcme}/audit-log`);
  await doomed.patch(inAcme, { name: 'Not theirs' });
  const meeting = await done(
    olga.post('/recordings', { title: 'Weekly', media: 'none', organization_id: acme.id }),
  );

  for (const address of [email, mona.email])
    await done(olga.post(`${inAcme}/erasures`, { email: address, speaker_names: [address] }));
  await done(
    dora.post(`${inGone}/erasures`, {
      email: `${m.organization}@acme.test`,
      speaker_names: [m.organization],
    }),
  );
  const folder = await done(
    dora.post(`${inGone}/folders`, {
      name: `${m.organization} folder`,
      external_id: `${m.organization} folder id`,
      metadata: { crm: m.organization },
    }),
  );
  await done(
    dora.request('PUT', `${inGone}/audit-stream`, {
      body: { url: `https://${m.organization}.example.com/` },
    }),
  );
  const except = { titles: [`${m.organization} title`] };
  await done(
    dora.request('PUT', `${inGone}/retention`, {
      body: { rules: [{ removes: 'media', days: 900, except }] },
    }),
  );
  await done(
    dora.request('PUT', `${inGone}/glossary`, { body: { terms: [{ term: `${m.organization} term` }] } }),
  );
  // As after a check of its DNS record.
  await service.dataSource.query('UPDATE organizations SET branding_domain = $2 WHERE id = $1', [
    gone.id,
    `${m.organization}.example.com`,
  ]);
  const [ofGone] = await filled(service, dora, m.organization, {
    organization_id: gone.id,
    folder_id: folder.id,
  });
  await done(dora.post(`${inGone}/transfer`, { user_id: (await done(olga.get('/me'))).id }));
  const recordings = await filled(service, olga, m.recording, { organization_id: acme.id });
  // What is in the bin goes with them, too.
  for (const [who, marker, place] of [
    [doomed, m.user, {}],
    [dora, m.organization, { organization_id: gone.id }],
  ] as const) {
    const body = { title: `${marker} deleted`, media: 'none', ...place };
    const { id: deleted } = await done(who.post('/recordings', body));
    await service.dataSource.query(TO_BIN, [deleted]);
  }
  // What members have added to a recording that stays.
  await service.dataSource.query('UPDATE organization_members SET view_all_recordings = true');
  for (const [who, marker] of [
    [leaving, m.member],
    [doomed, m.user],
  ] as const)
    await addParts(who, meeting.id, `${marker} label`, PARTS_OF_VIEWERS);

  for (const [one, marker] of [
    [personal, m.user],
    [ofGone, m.organization],
    [recordings[0], m.recording],
  ])
    await service.dataSource.query(
      `INSERT INTO held_versions (recording_id, kind, value) VALUES ($1, 'recordings', $2)`,
      [one, { title: marker }],
    );
  const held = {
    organization_id: gone.id,
    matter: `${m.organization} matter`,
    reason: `${m.organization} letter`,
  };
  const hold = await done(dora.post('/legal-holds', { ...held, to: '2000-01-01' }));
  await done(dora.post(`/legal-holds/${hold.id}/lift`));

  const again = {
    user: () => olga.patch(`${inAcme}/members/${doomedId}`, { role: 'EDITOR' }, keyed('user')),
    member: () => olga.patch(`${inAcme}/members/${leavingId}`, { role: 'EDITOR' }, keyed('member')),
    recording: () =>
      olga.patch(
        `/recordings/${recordings[0]}/transcript/segments/0`,
        { text: `${m.recording} says` },
        keyed('recording'),
      ),
    organization: () =>
      olga.patch(`${inGone}/folders/${folder.id}`, { name: `${m.organization} files` }, keyed('gone')),
  };
  for (const [subject, request] of Object.entries(again))
    expect(JSON.stringify(await done(request()))).toContain(m[subject as keyof typeof m]);
  for (const [recordingId, marker] of [
    [personal, m.user],
    [ofGone, m.organization],
    [recordings[0], m.recording],
  ] as const)
    await drafted(service, recordingId, marker);
  for (const [recordingId, organizationId, marker] of [
    [ofGone, gone.id, m.organization],
    [recordings[0], acme.id, m.recording],
  ])
    await service.dataSource.query(
      `INSERT INTO transcript_voices VALUES ($1, 0, $2, $3, now(), 9, 'voices.onnx', $4, $3, 0.9)`,
      [recordingId, organizationId, `${marker} speaker`, Buffer.from(marker!)],
    );
  await allSent(service);
  await service.app.get(SecurityEventsService).flush();
  await service.app.get(ApiKeyUsageService).flush();
  // All requests of the test come from one address.
  await service.dataSource.query(
    'UPDATE api_keys SET last_used_address = $2, client = $2 WHERE user_id = $1',
    [leavingId, `${m.member} address`],
  );
  // Of a session, whose browser says what it is.
  await service.dataSource.query('UPDATE api_keys SET client = $2 WHERE user_id = $1', [
    doomedId,
    `${m.user} browser`,
  ]);
  return {
    olga,
    dora,
    leaving,
    leavingId,
    doomed,
    doomedId,
    doomedEmail: email,
    acme: acme.id,
    gone: gone.id,
    recordings,
    webhooks,
    again,
  };
}

/** Three recordings: with texts, with an upload in progress, and one that is to be fetched. Returns their ids. */
async function filled(
  service: TestService,
  api: Client,
  marker: string,
  place: object,
): Promise<readonly string[]> {
  const own = { external_id: `${marker} external id`, metadata: { crm: `${marker} customer` } };
  const made = await done(
    api.post('/recordings', { title: `${marker} title`, media: 'none', ...own, ...place }),
  );
  const at = `/recordings/${made.id}`;
  await done(api.patch(at, { notes: `${marker} notes` }));
  await done(
    api.request('PUT', `${at}/transcript`, {
      body: {
        language: 'en',
        segments: [
          { start: 0, end: 1, speaker: `${marker} speaker`, text: `${marker} says` },
          { start: 2, end: 3, speaker: 'Nobody', text: 'Nothing' },
        ],
      },
    }),
  );
  await done(api.patch(`${at}/transcript/segments/0`, { text: `${marker} said` }));
  await done(
    api.request('PUT', `${at}/summary`, {
      body: {
        content: `## ${marker} summary`,
        topics: [{ title: `${marker} topic`, keyPoints: [{ point: `${marker} point`, details: [marker] }] }],
        decisions: [{ text: `${marker} decision` }],
        actionItems: [{ text: `${marker} item`, owner: `${marker} owner`, due: `${marker} due` }],
      },
    }),
  );
  // A revision that is kept, and one after it.
  await done(api.post(`${at}/summary/revisions/1/restore`));
  const { share_links: link } = await addParts(api, made.id, `${marker} label`);
  await done(service.api.get(`/shares/${link.share_url.split('/').at(-1)}`));
  await done(api.post(`${at}/questions`, { question: `What says ${marker}?` }, keyed(`question-${marker}`)));
  // An upload in progress, and one from elsewhere.
  const name = (text: string): string => Buffer.from(text).toString('base64');
  const organizationId = (place as { organization_id?: string }).organization_id;
  const metadata = [`filename ${name(`${marker}.mp4`)}`, `title ${name(`${marker} upload`)}`];
  if (organizationId !== undefined) metadata.push(`organization_id ${name(organizationId)}`);
  const bytes = Buffer.concat([demoVideo(), Buffer.from(marker)]);
  const uploaded = await api.request('POST', '/uploads', {
    headers: { ...TUS, 'upload-length': String(bytes.length + 1_000), 'upload-metadata': metadata.join() },
  });
  expect([uploaded.status, uploaded.body?.error]).toEqual([201, undefined]);
  const uploadId = uploaded.headers.get('location')!.split('/').at(-1)!;
  const patched = await api.request('PATCH', `/uploads/${uploadId}`, {
    headers: { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    body: bytes,
  });
  expect(patched.status).toBe(204);
  await service.dataSource.query('UPDATE uploads SET status_reason = $2 WHERE recording_id = $1', [
    uploadId,
    `The media ${marker}.mp4 cannot be read.`,
  ]);
  const fetched = await done(
    api.post('/recordings', {
      title: `${marker} fetched`,
      source_url: `http://127.0.0.1:9999/${marker}.mp4`,
      ...place,
    }),
  );
  return [made.id, uploadId, fetched.id];
}

/** A client behind a proxy, which says where its requests come from. */
class ProxiedClient extends Client {
  override request(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    const headers = { ...options.headers, 'x-forwarded-for': ADDRESS };
    return super.request(method, path, { ...options, headers });
  }
}

/** What a running transcription has written so far. */
async function drafted(
  { dataSource }: TestService,
  recordingId: string | undefined,
  marker: string,
): Promise<void> {
  const attempt = id();
  await dataSource.query('UPDATE transcripts SET attempt_id = $2 WHERE recording_id = $1', [
    recordingId,
    attempt,
  ]);
  await dataSource.query('UPDATE transcripts SET draft = $2 WHERE recording_id = $1', [
    recordingId,
    JSON.stringify({ attemptId: attempt, speakers: [marker] }),
  ]);
  await dataSource.query(
    `INSERT INTO transcript_draft_chunks (attempt_id, chunk_index, recording_id, segments) VALUES ($2, 0, $1, $3)`,
    [recordingId, attempt, JSON.stringify([{ text: marker }])],
  );
}

/** An invitation whose email the mail server refuses, with words of its own. */
async function refused({ dataSource }: TestService, organizationId: string, email: string): Promise<void> {
  await dataSource.query(
    `INSERT INTO invitations (id, organization_id, email, role, language, token_hash, invited_by, mail_status, mail_error,
                              created_at, sent_at, expires_at)
     SELECT gen_random_uuid(), organization_id, $2, 'VIEWER', 'en', sha256(convert_to($2, 'UTF8')), user_id, 'failed', $2,
            now(), now(), now() + interval '1 day'
     FROM organization_members WHERE organization_id = $1 AND role = 'OWNER'`,
    [organizationId, email],
  );
}
