import { expect } from '@jest/globals';
import { emailOf, folder, keyOf, member, organization, user } from '../../factories/workspace.js';
import type { Reply } from '../../support/client.js';
import { insertRows, insertServiceAccount, narrowKeyRows } from '../../factories/worlds.js';
import { allPublished } from '../../support/events.js';
import type { TestService } from '../../support/service.js';

/** Sequences of changes by API, and a plain model of who gets which events of recordings. */

export const SETTINGS = { RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_COSTLY_PER_MINUTE: '0' };
export const KINDS = [
  'create',
  'create',
  'rename',
  'move',
  'move',
  'transfer',
  'delete',
  'role',
  'restrict',
  'remove',
] as const;
const ROLES = ['ADMIN', 'EDITOR', 'VIEWER'] as const;
type Role = 'OWNER' | (typeof ROLES)[number];

export interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly who: number;
  readonly what: number;
  readonly where: number;
}

interface Person {
  readonly name: string;
  readonly id: string;
}
/** A key by the name that `keyOf` takes; null: not limited. */
interface Reader extends Person {
  readonly home: string | null;
  readonly shelf: string | null;
}
interface Logged {
  readonly id: string;
  readonly organization_id: string | null;
}
interface Shelf {
  readonly id: string;
  readonly organization: string;
  /** Null: open to all members. */
  named: ReadonlySet<string> | null;
}
interface Meeting {
  readonly id: string;
  owner: string;
  organization: string | null;
  folder: string | null;
  isGone: boolean;
}
interface Place {
  readonly organization: string | null;
  readonly folder: string | null;
}
interface Told {
  readonly type: string;
  readonly meeting: Meeting;
  readonly organization: string | null;
  readonly owner: string;
  /** Where it was: in two places when it moved between folders; and who saw it there. */
  readonly places: readonly { readonly place: Place; readonly seenBy: ReadonlySet<string> }[];
}

async function addKeys(service: TestService, readers: readonly Reader[]): Promise<void> {
  const keys = readers.map(({ id: userId, name, home, shelf }) => ({
    name,
    userId,
    organizationIds: home === null ? null : [home],
    folderIds: shelf === null ? null : [shelf],
  }));
  await insertRows(service.dataSource, 'api_keys', narrowKeyRows(keys));
}

let worlds = 0;
const pick = <T>(from: readonly T[], number: number): T | undefined => from[number % from.length];

/** The first person is OWNER of both organizations, and makes all changes that others may not. */
export class EventsWorld {
  private readonly meetings: Meeting[] = [];
  private readonly told: Told[] = [];
  private requests = 0;

  private constructor(
    private readonly services: readonly TestService[],
    private readonly people: readonly Person[],
    private readonly readers: readonly Reader[],
    private readonly organizations: readonly string[],
    private readonly shelves: readonly Shelf[],
    private readonly roles: Map<string, Map<string, Role>>,
  ) {}

  static async create(services: readonly TestService[]): Promise<EventsWorld> {
    const number = (worlds += 1);
    const names = ['Boss', 'Mate', 'Peer'].map((name) => `${name}${number}`);
    const people = names.map((name) => user(name));
    const named = [emailOf(names[1] ?? '')];
    const made = ['A', 'B'].map((name) => ({
      folders: [folder('Open'), folder('Closed', { restrictedTo: named })],
      name: `${name}${number}`,
    }));
    const organizations = made.map(({ name, folders }) =>
      organization(name, {
        folders,
        members: names.map((one, index) => member(one, index === 0 ? 'OWNER' : 'EDITOR')),
      }),
    );
    await services[0]?.import({ users: people, organizations });
    const shelves = made.flatMap(({ folders }, index) =>
      folders.map(({ id }, place) => ({
        id,
        organization: organizations[index]?.id ?? '',
        named: place === 0 ? null : new Set([people[1]?.id ?? '']),
      })),
    );
    const roles = new Map(
      organizations.map(({ id }) => [
        id,
        new Map(people.map((one, index): [string, Role] => [one.id, index === 0 ? 'OWNER' : 'EDITOR'])),
      ]),
    );
    const home = organizations[0]?.id ?? '';
    const shelf = shelves[0]?.id ?? '';
    const role = number % 2 === 0 ? 'ADMIN' : 'EDITOR';
    const [service] = services;
    if (!service) throw new Error('A world needs a service');
    const name = `Machine${number}`;
    const id = await insertServiceAccount(service.dataSource, { name, organizationId: home, role });
    roles.get(home)?.set(id, role);
    const limited = people.flatMap((one): Reader[] => [
      { id: one.id, name: `${one.name}OfA`, home, shelf: null },
      { id: one.id, name: `${one.name}OfShelf`, home, shelf },
    ]);
    await addKeys(service, limited);
    const full = people.map((one): Reader => ({ id: one.id, name: one.name, home: null, shelf: null }));
    const readers = [...full, ...limited, { id, name, home, shelf: null }];
    return new EventsWorld(
      services,
      people,
      readers,
      organizations.map((one) => one.id),
      shelves,
      roles,
    );
  }

  async run({ kind, who, what, where }: Step): Promise<void> {
    const present = this.meetings.filter(({ isGone }) => !isGone);
    const meeting = pick(present, what);
    const person = pick(this.people, who);
    if (!person) return;
    if (kind === 'create') await this.create(person, where);
    else if (kind === 'role') await this.role(person, what, where);
    else if (kind === 'restrict') await this.restrict(what, where);
    else if (kind === 'remove') await this.remove(person, where);
    else if (!meeting) return;
    else if (kind === 'rename') await this.rename(meeting);
    else if (kind === 'move') await this.move(meeting, where);
    else if (kind === 'transfer') await this.transfer(meeting, where);
    else await this.delete(meeting);
  }

  /** Compares the events that each key gets from the service with those of the model. */
  async compare(): Promise<void> {
    const [service] = this.services;
    if (service) await allPublished(service);
    const known = new Set(this.meetings.map(({ id }) => id));
    for (const reader of this.readers) {
      const expected = this.told.flatMap((told) => this.expectedOf(reader, told));
      const received = (await this.listed(reader)).filter(({ data }) => known.has(data.recording_id));
      const shown = received.map(({ type, data }) => {
        const view = data.changes === null ? 'ids' : 'full';
        expect([view, data.recording?.id ?? null, data.actor === null]).toEqual(
          view === 'full' ? ['full', data.recording_id, false] : ['ids', null, true],
        );
        return `${data.organization_id} ${data.recording_id} ${type} ${view}`;
      });
      expect([reader.name, shown.sort()]).toEqual([reader.name, expected.sort()]);
    }
    await this.compareAuditLogs();
  }

  /** A key that is limited to an organization has the rows about it that the other key of its user has. */
  private async compareAuditLogs(): Promise<void> {
    const logOf = async (reader: Reader): Promise<readonly Logged[]> =>
      this.readAll(reader, '/me/audit-log?limit=100');
    for (const reader of this.readers.filter(({ home, shelf }) => home !== null && shelf === null)) {
      const full = this.readers.find(({ id, home }) => id === reader.id && home === null);
      const all = full ? await logOf(full) : await logOf(reader);
      const rows = await logOf(reader);
      const expected = all.filter(({ organization_id: home }) => home === reader.home);
      expect([reader.name, rows.map(({ id }) => id)]).toEqual([reader.name, expected.map(({ id }) => id)]);
    }
  }

  private expectedOf(person: Reader, told: Told): string[] {
    const { meeting, organization: home } = told;
    const isTheirs = home === null ? told.owner === person.id : this.roles.get(home)?.has(person.id);
    if (!isTheirs || (person.home !== null && person.home !== home)) return [];
    const name = `${home} ${meeting.id} ${told.type}`;
    const isReached = person.home === null || meeting.organization === person.home;
    const isOnShelf = person.shelf === null || meeting.folder === person.shelf;
    if (!meeting.isGone && isReached && isOnShelf && this.sees(person.id, meeting)) return [`${name} full`];
    if (person.shelf !== null) return [];
    const lost = told.places.some(
      ({ place, seenBy }) =>
        seenBy.has(person.id) &&
        (meeting.isGone || place.organization !== meeting.organization || place.folder !== meeting.folder),
    );
    return lost ? [`${name} ids`] : [];
  }

  private async listed(person: Person): Promise<ReturnType<typeof JSON.parse>[]> {
    return this.readAll(person, '/events?limit=7&types=recording.*');
  }

  /** All pages. */
  private async readAll(person: Person, path: string): Promise<ReturnType<typeof JSON.parse>[]> {
    const found: ReturnType<typeof JSON.parse>[] = [];
    for (let after = ''; ;) {
      const { body } = await this.request(person, 'GET', `${path}${after}`);
      found.push(...body.data);
      if (!body.pagination.has_more) return found;
      after = `&cursor=${body.pagination.next_cursor}`;
    }
  }

  private sees(
    id: string,
    { owner, organization: home, folder: place }: Omit<Meeting, 'id' | 'isGone'>,
  ): boolean {
    if (home === null) return owner === id;
    const role = this.roles.get(home)?.get(id);
    if (role === undefined) return false;
    if (role === 'OWNER' || role === 'ADMIN' || owner === id) return true;
    const shelf = this.shelves.find((one) => one.id === place);
    return shelf !== undefined && (shelf.named === null || shelf.named.has(id));
  }

  private at({ owner, organization: home, folder: place }: Meeting) {
    const ids = this.readers.map(({ id }) => id);
    const state = { owner, organization: home, folder: place };
    return { place: state, seenBy: new Set(ids.filter((id) => this.sees(id, state))) };
  }

  private tell(type: string, meeting: Meeting, places = [this.at(meeting)]): void {
    const { organization: home, owner } = meeting;
    this.told.push({ type, meeting, organization: home, owner, places });
  }

  private async create(person: Person, where: number): Promise<void> {
    const home = pick([null, ...this.organizations], where) ?? null;
    const role = home === null ? 'OWNER' : this.roles.get(home)?.get(person.id);
    if (role === undefined || role === 'VIEWER') return;
    const { body } = await this.request(person, 'POST', '/recordings', {
      title: 'New',
      ...(home === null ? {} : { organization_id: home }),
    });
    const meeting = { id: body.data.id, owner: person.id, organization: home, folder: null, isGone: false };
    this.meetings.push(meeting);
    this.tell('recording.created', meeting);
  }

  private async rename(meeting: Meeting): Promise<void> {
    await this.change(meeting, { title: `Renamed ${this.requests}` });
    this.tell('recording.updated', meeting);
  }

  private async move(meeting: Meeting, where: number): Promise<void> {
    if (meeting.organization === null) return;
    const own = this.shelves.filter((shelf) => shelf.organization === meeting.organization);
    const to = pick([null, ...own.map(({ id }) => id)], where) ?? null;
    if (to === meeting.folder) return;
    const before = this.at(meeting);
    await this.change(meeting, { folder_id: to });
    meeting.folder = to;
    this.tell('recording.moved', meeting, [before, this.at(meeting)]);
  }

  private async transfer(meeting: Meeting, where: number): Promise<void> {
    const to = pick(this.organizations, where) ?? null;
    const mover = this.moverOf(meeting);
    if (to === meeting.organization || to === null || !mover) return;
    const role = this.roles.get(to)?.get(mover.id);
    if (role === undefined || role === 'VIEWER') return;
    // Its owner has to be a member there.
    if (!this.roles.get(to)?.has(meeting.owner)) return;
    const reply = await this.request(mover, 'PATCH', `/recordings/${meeting.id}`, { organization_id: to });
    expect(reply.status).toBe(200);
    // In both organizations.
    this.tell('recording.moved', meeting);
    meeting.organization = to;
    meeting.folder = null;
    this.tell('recording.moved', meeting);
  }

  private async delete(meeting: Meeting): Promise<void> {
    const places = [this.at(meeting)];
    const mover = this.moverOf(meeting);
    if (!mover) return;
    expect((await this.request(mover, 'DELETE', `/recordings/${meeting.id}`)).status).toBe(200);
    this.tell('recording.deleted', meeting, places);
    meeting.isGone = true;
  }

  private async role(person: Person, what: number, where: number): Promise<void> {
    const home = pick(this.organizations, what) ?? '';
    const roles = this.roles.get(home);
    if (person === this.people[0] || !roles?.has(person.id)) return;
    const role = pick(ROLES, where) ?? 'EDITOR';
    const path = `/organizations/${home}/members/${person.id}`;
    expect((await this.request(this.boss, 'PATCH', path, { role })).status).toBe(200);
    roles.set(person.id, role);
  }

  private async restrict(what: number, where: number): Promise<void> {
    const shelf = pick(this.shelves, what);
    if (!shelf) return;
    const members = [...(this.roles.get(shelf.organization)?.keys() ?? [])];
    const one = pick(members, where);
    const named = where % 4 === 0 || one === undefined ? null : [one];
    const path = `/organizations/${shelf.organization}/folders/${shelf.id}`;
    expect((await this.request(this.boss, 'PATCH', path, { restricted_to: named })).status).toBe(200);
    shelf.named = named && new Set(named);
  }

  /** Their recordings go to the one who removes them. */
  private async remove(person: Person, where: number): Promise<void> {
    const home = pick(this.organizations, where) ?? '';
    const roles = this.roles.get(home);
    if (person === this.people[0] || !roles?.has(person.id)) return;
    const path = `/organizations/${home}/members/${person.id}`;
    expect((await this.request(this.boss, 'DELETE', path)).status).toBe(200);
    roles.delete(person.id);
    for (const shelf of this.shelves.filter(({ organization: its }) => its === home))
      if (shelf.named) shelf.named = new Set([...shelf.named].filter((id) => id !== person.id));
    for (const meeting of this.meetings) {
      if (meeting.isGone || meeting.organization !== home || meeting.owner !== person.id) continue;
      meeting.owner = this.boss.id;
      this.tell('recording.updated', meeting);
    }
  }

  private get boss(): Person {
    return this.people[0] ?? { name: '', id: '' };
  }

  /** The OWNER, or whose it is. */
  private moverOf({ organization: home, owner }: Meeting): Person | undefined {
    return home === null ? this.people.find(({ id }) => id === owner) : this.boss;
  }

  private async change(meeting: Meeting, change: object): Promise<void> {
    const mover = this.moverOf(meeting);
    if (!mover) return;
    expect((await this.request(mover, 'PATCH', `/recordings/${meeting.id}`, change)).status).toBe(200);
  }

  /** Sends each request to another process, one after the other. */
  private async request({ name }: Person, method: string, path: string, body?: object): Promise<Reply> {
    const service = pick(this.services, (this.requests += 1));
    return service!.api.as(keyOf(name)).request(method, path, { body });
  }
}
