import { folder, keyOf, member, organization, user } from '../../factories/workspace.js';
import { done, type Client, type Reply } from '../../support/client.js';
import type { TestService } from '../../support/service.js';
import type { WebhookReceiver } from '../../support/webhook-receiver.js';
import { allSent, createdWebhook } from '../../support/webhooks.js';

/** A user's two organizations, in which every feature has been used within and beyond the reach of their keys. */

/** Where something is: in a folder, in the organization Acme alone, in Beta, or nowhere. */
export const PLACES = ['board', 'sales', 'acme', 'beta', 'personal'] as const;
export type Place = (typeof PLACES)[number];

/** In every text of this place, and in no other. */
const mark = (place: Place): string => `qq${place}qq`;

/** What is named in a URL. */
export type Kind = 'organization' | 'folder' | 'recording' | 'deleted' | 'webhook' | 'account' | 'token';

/** By the first part of a path, what its `{id}` is. */
export const KINDS: Readonly<Record<string, Kind>> = {
  recordings: 'recording',
  uploads: 'recording',
  'deleted-recordings': 'deleted',
  organizations: 'organization',
  webhooks: 'webhook',
};

interface Thing {
  readonly kind: Kind | 'other';
  readonly id: string;
  /** Where it is, and where it has been before. */
  readonly places: readonly Place[];
  readonly what: string;
}

export interface Reader {
  readonly client: Client;
  readonly key: string;
  /** The places that it reaches. */
  readonly reaches: readonly Place[];
}

export class ReachWorld {
  private constructor(
    readonly acme: string,
    /** An EDITOR of Acme. */
    readonly grace: string,
    /** Reaches everything. */
    readonly full: Client,
    readonly readers: Readonly<Record<'an organization' | 'a folder' | 'an accepting organization', Reader>>,
    readonly things: readonly Thing[],
  ) {}

  static async create(service: TestService, receiver: WebhookReceiver): Promise<ReachWorld> {
    const things: Thing[] = [];
    const note = (what: string, thing: string, ...places: readonly Place[]): string => {
      things.push({ kind: 'other', id: thing, places, what });
      return thing;
    };
    const noteAs = (kind: Kind, what: string, thing: string, ...places: readonly Place[]): string => {
      things.push({ kind, id: thing, places, what });
      return thing;
    };
    const [board, sales, annex] = (['board', 'sales', 'beta'] as const).map((place) =>
      folder(`${mark(place)} folder`),
    ) as [ReturnType<typeof folder>, ReturnType<typeof folder>, ReturnType<typeof folder>];
    const grace = user('Grace');
    const stranger = user('Dora', { name: `${mark('beta')} Dora`, email: `${mark('beta')}@beta.test` });
    const acme = organization('Acme', {
      members: [member('Olga', 'OWNER'), member('Grace', 'EDITOR')],
      folders: [board, sales].map((one) => ({ ...one, restrictedTo: ['grace@acme.test'] })),
    });
    const beta = organization(`${mark('beta')} organization`, {
      members: [member('Olga', 'OWNER'), { ...member('Dora', 'EDITOR'), email: stranger.email }],
      folders: [annex],
    });
    await service.import({
      users: [user('Olga'), grace, stranger],
      organizations: [acme, beta],
    });
    const unending = service.api.as(keyOf('Olga'));
    const { key } = await done(unending.post('/api-keys', { name: 'all', expires_in: 86_400 }));
    const full = service.api.as(key);
    await done(full.patch(`/organizations/${beta.id}`, { api_key_max_days: 30 }));
    const keyWith = async (limits: object): Promise<string> =>
      (await done(full.post('/api-keys', { name: 'limited', ...limits }))).key;
    const reader = (secret: string, ...reaches: readonly Place[]): Reader => ({
      client: service.api.as(secret),
      key: secret,
      reaches,
    });
    const readers = {
      'an organization': reader(await keyWith({ organizations: [acme.id] }), 'acme', 'board', 'sales'),
      'a folder': reader(await keyWith({ folders: [board.id] }), 'board'),
      'an accepting organization': reader(keyOf('Olga'), 'acme', 'board', 'sales', 'personal'),
    };

    // Of an organization that a key reaches, it reaches what is in none of the folders that it does not.
    noteAs('organization', 'Acme', acme.id, 'board', 'acme');
    noteAs('organization', 'Beta', beta.id, 'beta');
    noteAs('folder', 'Board', board.id, 'board');
    noteAs('folder', 'Sales', sales.id, 'sales');
    noteAs('folder', 'Annex', annex.id, 'beta');
    note('Dora', stranger.id, 'beta');

    const places: Readonly<Record<Place, object>> = {
      board: { organization_id: acme.id, folder_id: board.id },
      sales: { organization_id: acme.id, folder_id: sales.id },
      acme: { organization_id: acme.id },
      beta: { organization_id: beta.id, folder_id: annex.id },
      personal: {},
    };
    for (const [organizationId, place, folderIds] of [
      [acme.id, 'acme', [board.id, sales.id]],
      [beta.id, 'beta', []],
    ] as const) {
      const at = `/organizations/${organizationId}`;
      const both: readonly Place[] = place === 'acme' ? ['board', 'acme'] : ['beta'];
      const text = place === 'acme' ? 'known' : mark(place);
      const guest = { email: `${text}-guest@acme.test`, role: 'VIEWER', folder_ids: folderIds };
      note('invitation', (await done(full.post(`${at}/invitations`, guest))).id, ...both);
      const account = await done(
        full.post(`${at}/service-accounts`, { name: `${text} account`, role: 'EDITOR' }),
      );
      noteAs('account', 'service account', account.id, ...both);
      note('key of a service account', account.api_key.id, ...both);
      await done(full.request('PUT', `${at}/audit-stream`, { body: { url: 'https://siem.example.com/' } }));
      await done(full.request('PUT', `${at}/glossary`, { body: { terms: [{ term: `${text} term` }] } }));
    }
    for (const place of PLACES) {
      const recording = await filled(full, mark(place), places[place]);
      noteAs('recording', 'recording', recording.id, place);
      for (const one of recording.others) note('of a recording', one, place);
      noteAs('token', 'share token', recording.token, place);
      const gone = await created(full, mark(place), places[place]);
      noteAs('deleted', 'deleted recording', gone, place);
      await done(full.delete(`/recordings/${gone}`));
    }
    for (const place of ['acme', 'beta', 'personal'] as const) {
      const { organization_id } = places[place] as { organization_id?: string };
      const hook = { url: receiver.url(`/${place}`), description: `${mark(place)} hook`, organization_id };
      noteAs('webhook', `webhook of ${place}`, (await createdWebhook(full, hook)).id, place);
    }
    const moved = async (from: Place, to: Place): Promise<void> => {
      const recording = await created(full, 'moving', places[from]);
      const nowhere = { organization_id: null, folder_id: null };
      const where = { ...nowhere, ...places[to], title: `${mark(to)} moved here` };
      await done(full.patch(`/recordings/${recording}`, where));
      noteAs('recording', `recording moved from ${from}`, recording, to, from);
      await done(full.patch(`/recordings/${recording}`, { title: `${mark(to)} again` }));
    };
    await moved('beta', 'board');
    await moved('sales', 'board');
    await moved('acme', 'board');
    await moved('personal', 'board');
    await moved('board', 'sales');
    await moved('board', 'beta');
    await moved('sales', 'beta');
    await moved('acme', 'personal');
    for (const place of ['sales', 'beta'] as const) {
      const { organization_id } = places[place] as { organization_id: string };
      const at = `/organizations/${organization_id}/folders`;
      const made = await done(full.post(at, { name: `${mark(place)} short` }));
      note('deleted folder', made.id, place);
      await done(full.delete(`${at}/${made.id}`));
    }
    await done(
      full.patch(`/organizations/${acme.id}/folders/${sales.id}`, { name: `${mark('sales')} room` }),
    );
    await done(full.patch(`/organizations/${acme.id}`, { name: 'Acme again' }));
    await allSent(service);
    return new ReachWorld(acme.id, grace.id, full, readers, things);
  }

  /** The ids by which requests name things of this kind, wherever they are. */
  idsOf(kind: Kind): readonly string[] {
    return this.things.filter((one) => one.kind === kind).map((one) => one.id);
  }

  /** Whoever has the token of a share link has what it shows, with and without a key. */
  tokensWithin({ reaches }: Reader): readonly string[] {
    const within = this.things.filter(({ kind, places }) => kind === 'token' && reaches.includes(places[0]!));
    return within.map((one) => one.id);
  }

  /** What must be in no reply to this reader, with what it is. */
  beyond({ reaches }: Reader): ReadonlyMap<string, string> {
    const isBeyond = (place: Place): boolean => !reaches.includes(place);
    // What has been within reach is known, except to keys for folders: nobody knows what was in them when.
    const hidden = this.things.filter(({ places }) =>
      reaches.includes('acme') ? places.every(isBeyond) : places.slice(0, 1).every(isBeyond),
    );
    return new Map([
      ...PLACES.filter(isBeyond).map((place): [string, string] => [mark(place), `a text of ${place}`]),
      ...hidden.map((one): [string, string] => [one.id, `${one.what} (${one.places.join(', before in ')})`]),
    ]);
  }
}

/** Of these values, the names of those that are in what a reader got. */
export const leaksIn = (got: unknown, beyond: ReadonlyMap<string, string>): readonly string[] => {
  const text = JSON.stringify(got);
  return [...beyond].filter(([value]) => text.includes(value)).map(([, what]) => what);
};

export const leaksOf = (
  request: string,
  { headers, body }: Reply,
  beyond: ReadonlyMap<string, string>,
): readonly string[] => leaksIn([[...headers], body], beyond).map((what) => `${request}: ${what}`);

interface Filled {
  readonly id: string;
  readonly token: string;
  readonly others: readonly string[];
}

/** A recording with a transcript of one sentence, whose texts contain the word. */
async function created(client: Client, word: string, place: object): Promise<string> {
  const { id: made } = await done(
    client.post('/recordings', { title: `${word} title`, media: 'none', ...place }),
  );
  const segments = [{ start: 0, end: 1, speaker: `${word} speaker`, text: `${word} says` }];
  await done(client.request('PUT', `/recordings/${made}/transcript`, { body: { language: 'en', segments } }));
  return made;
}

/** A recording with everything that one has, all of whose texts contain the word. */
async function filled(client: Client, word: string, place: object): Promise<Filled> {
  const made = await created(client, word, place);
  const at = `/recordings/${made}`;
  await done(client.patch(at, { notes: `${word} notes` }));
  await done(client.patch(`${at}/transcript/segments/0`, { text: `${word} said` }));
  const topics = [{ title: `${word} topic`, keyPoints: [{ point: `${word} point`, details: [word] }] }];
  const actionItems = [{ text: `${word} item`, owner: 'Olga' }];
  const summary = { content: `## ${word} summary`, topics, actionItems };
  await done(client.request('PUT', `${at}/summary`, { body: summary }));
  const [item] = (await done(client.get(`${at}/summary`))).actionItems;
  await done(client.patch(`${at}/action-items/${item.id}`, { done: true }));
  const link = await done(client.post(`${at}/share-link`, { label: `${word} label` }));
  const [{ id: linkId }] = await done(client.get(`${at}/share-links`));
  return { id: made, token: link.share_token, others: [item.id, linkId] };
}
