import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RecordingBinService } from '../../src/modules/recordings/bin/recording-bin.service.js';
import { ErasureRunService } from '../../src/modules/erasures/erasure-run.service.js';
import { RetentionRunsService } from '../../src/modules/retention/retention-runs.service.js';
import {
  folder,
  id,
  keyOf,
  member,
  organization,
  recording,
  summary,
  transcript,
  user,
} from '../factories/workspace.js';
import { done, type Client, type Reply } from '../support/client.js';
import fc, { propertyOptions } from '../support/properties.js';
import { startService, type TestService } from '../support/service.js';

const DAY = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 5, 1);
const RECORDINGS = 6;
const BOB = id();

type Removal = 'media' | 'transcript' | 'all';
interface Rule {
  readonly removes: Removal;
  readonly days: number;
  /** Index of a folder; null: all. */
  readonly folder: number | null;
  readonly exceptBob: boolean;
}
type Step =
  | { readonly do: 'rules'; readonly rules: readonly Rule[] }
  | { readonly do: 'hold'; readonly on: 'recordings' | 'folder' | 'person' | 'period'; readonly at: number }
  | { readonly do: 'lift' }
  | { readonly do: 'erase' }
  | { readonly do: 'move' | 'delete' | 'restore' | 'purge'; readonly at: number; readonly to: number }
  | { readonly do: 'pass'; readonly days: number };

/** What must be known of a recording to say what becomes of it. */
interface Known {
  readonly id: string;
  readonly isBobs: boolean;
  /** Day on which the meeting was. */
  readonly met: number;
  /** Day on which it was created or restored. */
  placed: number;
  /** Day on which it came into its folder. */
  filed: number;
  folder: number;
  state: 'here' | 'bin' | 'gone';
  purgeDay: number;
  media: boolean;
  transcript: boolean;
  readonly holds: Set<string>;
  /** What the log says has been removed of it. */
  readonly purged: string[];
}

const rule = fc.record<Rule>({
  removes: fc.constantFrom('media', 'transcript', 'all'),
  days: fc.integer({ min: 1, max: 20 }),
  folder: fc.constantFrom(null, 0, 1),
  exceptBob: fc.boolean(),
});
const at = fc.nat({ max: RECORDINGS - 1 });
const step = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.record({
    do: fc.constant('rules' as const),
    rules: fc.uniqueArray(rule, {
      maxLength: 3,
      selector: ({ removes, folder: place, exceptBob }) => `${removes} ${place} ${exceptBob}`,
    }),
  }),
  fc.record({
    do: fc.constant('hold' as const),
    on: fc.constantFrom('recordings', 'folder', 'person', 'period'),
    at,
  }),
  fc.record({ do: fc.constant('lift' as const) }),
  fc.record({ do: fc.constant('erase' as const) }),
  fc.record({
    do: fc.constantFrom('move', 'delete', 'delete', 'restore', 'purge'),
    at,
    to: fc.nat({ max: 1 }),
  }),
  fc.record({ do: fc.constant('pass' as const), days: fc.integer({ min: 1, max: 9 }) }),
);
const world = fc.record({
  binDays: fc.constantFrom(0, 6),
  noticeDays: fc.constantFrom(0, 4),
  steps: fc.array(step, { minLength: 10, maxLength: 16 }),
});

/** Recordings that are kept, deleted, held and moved, beside a model of what the rules promise. */
describe('what is kept and what goes', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada'), user('Bob', { id: BOB })] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const statusOf = async (reply: Promise<Reply>): Promise<number> => (await reply).status;

  class World {
    private day = 20;
    private rules: readonly { readonly rule: Rule; readonly effective: number }[] = [];
    private isBobGone = false;
    private readonly holds: { readonly id: string; readonly covers: (one: Known) => boolean }[] = [];

    constructor(
      private readonly acme: string,
      private readonly folders: readonly string[],
      private readonly binDays: number,
      private readonly noticeDays: number,
      private readonly all: readonly Known[],
    ) {}

    async take(taken: Step): Promise<void> {
      service.setNow(new Date(START + this.day * DAY));
      if (taken.do === 'rules') await this.setRules(taken.rules);
      else if (taken.do === 'hold') await this.hold(taken);
      else if (taken.do === 'lift') await this.lift();
      else if (taken.do === 'erase') await this.erase();
      else if (taken.do === 'pass') this.day += taken.days;
      else await this.change(taken.do, this.all[taken.at]!, taken.to);
      await this.run();
      for (const one of this.all) await this.compare(one);
      await this.compareBin();
    }

    private async setRules(wantedRules: readonly Rule[]): Promise<void> {
      const before = this.rules;
      // A rule cannot except somebody who has left.
      const rules = this.isBobGone ? withoutBob(wantedRules) : wantedRules;
      this.rules = rules.map((wanted) => {
        const same = before.find((one) => isDeepStrictEqual(one.rule, wanted));
        return same ?? { rule: wanted, effective: this.day + this.noticeDays };
      });
      const given = rules.map(({ removes, days, folder: place, exceptBob }) => ({
        removes,
        days,
        folder_id: place === null ? null : this.folders[place],
        except: { owner_ids: exceptBob ? [BOB] : [] },
      }));
      const body = { notice_days: this.noticeDays, rules: given };
      expect(await statusOf(ada.request('PUT', `/organizations/${this.acme}/retention`, { body }))).toBe(200);
    }

    private async hold({ on, at: index }: Extract<Step, { do: 'hold' }>): Promise<void> {
      const { id: chosen, state } = this.all[index]!;
      const place = index % 2;
      const meeting = { from: new Date(START + 3 * DAY), to: new Date(START + 8 * DAY) };
      const [criteria, covers] = {
        recordings: [{ recording_ids: [chosen] }, (one: Known) => one.id === chosen] as const,
        folder: [{ folder_ids: [this.folders[place]] }, (one: Known) => one.folder === place] as const,
        person: [{ user_ids: [BOB] }, (one: Known) => one.isBobs] as const,
        period: [meeting, ({ met }: Known) => met >= 3 && met <= 8] as const,
      }[on];
      const body = { organization_id: this.acme, matter: 'Depot', reason: 'A letter', ...criteria };
      const placed = await ada.post('/legal-holds', body);
      const isGone = on === 'recordings' ? state === 'gone' : on === 'person' && this.isBobGone;
      expect(placed.status).toBe(isGone ? 400 : 201);
      if (placed.status !== 201) return;
      this.holds.push({ id: placed.body.data.id as string, covers });
      this.cover();
    }

    private async lift(): Promise<void> {
      const lifted = this.holds.pop();
      if (!lifted) return;
      expect(await statusOf(ada.post(`/legal-holds/${lifted.id}/lift`))).toBe(200);
      for (const one of this.all) one.holds.delete(lifted.id);
    }

    /** What Bob owns goes, unless some of it is held; then he has left. */
    private async erase(): Promise<void> {
      if (this.isBobGone) return;
      const his = this.all.filter(({ isBobs, state }) => isBobs && state !== 'gone');
      const isHeld = his.some(({ holds }) => holds.size > 0);
      const of = `/organizations/${this.acme}/erasures`;
      const { id: erasureId } = await done(ada.post(of, { user_id: BOB }));
      expect(await statusOf(ada.post(`${of}/${erasureId}/run`, {}))).toBe(isHeld ? 409 : 202);
      if (isHeld) return;
      await service.app.get(ErasureRunService).run(erasureId, new AbortController().signal);
      expect((await done(ada.get(`${of}/${erasureId}`))).status).toBe('completed');
      this.isBobGone = true;
      for (const one of his) {
        // The log has the deletion of the others.
        if (one.state === 'bin') one.purged.push('all');
        one.state = 'gone';
      }
    }

    /** A recording that a hold has covered stays under it wherever it goes. */
    private cover(): void {
      for (const one of this.all.filter(({ state }) => state !== 'gone'))
        for (const { id: holdId } of this.holds.filter(({ covers }) => covers(one))) one.holds.add(holdId);
    }

    private async change(
      what: 'move' | 'delete' | 'restore' | 'purge',
      one: Known,
      to: number,
    ): Promise<void> {
      const held = one.holds.size > 0;
      const path = `/recordings/${one.id}`;
      const inBin = `/deleted-recordings/${one.id}`;
      const isHere = one.state === 'here';
      const isInBin = one.state === 'bin';
      if (what === 'move') {
        const moved = await statusOf(ada.patch(path, { folder_id: this.folders[to] }));
        expect(moved).toBe(isHere ? 200 : 404);
        if (isHere && one.folder !== to) Object.assign(one, { folder: to, filed: this.day });
      } else if (what === 'delete') {
        expect(await statusOf(ada.delete(path))).toBe(isHere ? (held ? 409 : 200) : 404);
        if (!isHere || held) return;
        one.state = this.binDays > 0 ? 'bin' : 'gone';
        one.purgeDay = this.day + this.binDays;
      } else if (what === 'restore') {
        expect(await statusOf(ada.post(`${inBin}/restore`))).toBe(isInBin ? 200 : 404);
        if (isInBin) Object.assign(one, { state: 'here', placed: this.day });
      } else {
        expect(await statusOf(ada.delete(inBin))).toBe(isInBin ? (held ? 409 : 200) : 404);
        if (isInBin && !held) this.goes(one, 'all');
      }
      this.cover();
    }

    /** What is due goes, unless it is held. */
    private async run(): Promise<void> {
      service.setNow(new Date(START + this.day * DAY));
      await service.app.get(RecordingBinService).purgeDue();
      for (let again = 0; again < 3; again += 1) await service.app.get(RetentionRunsService).run();
      for (const one of this.all.filter(({ holds, state }) => holds.size === 0 && state !== 'gone')) {
        if (one.state === 'bin' && one.purgeDay <= this.day) {
          this.goes(one, 'all');
          continue;
        }
        for (const removes of this.dueOf(one)) {
          if (one.state === 'here' || (one.state === 'bin' && removes === 'all')) this.goes(one, removes);
        }
      }
    }

    /** What is due of a recording: first what is due for the longest, and at the same time what removes the most. */
    private dueOf(one: Known): Removal[] {
      const ends = this.rules
        .filter(({ rule: given }) => applies(given, one))
        .map(({ rule: { removes, days, folder: place }, effective }) => {
          const placed = place === null ? one.placed : Math.max(one.placed, one.filed);
          const noticed = placed + Math.min(days, this.noticeDays);
          return { removes, end: Math.max(one.met + days, effective, noticed) };
        });
      const order = ({ removes }: { removes: Removal }): number =>
        ['all', 'media', 'transcript'].indexOf(removes);
      return ends
        .filter(({ end }) => end <= this.day)
        .toSorted((a, b) => a.end - b.end || order(a) - order(b))
        .map(({ removes }) => removes);
    }

    private goes(one: Known, removes: Removal): void {
      if (removes === 'all') one.state = 'gone';
      else if (one[removes]) one[removes] = false;
      else return;
      one.purged.push(removes);
    }

    private async compare(one: Known): Promise<void> {
      const { status, body } = await ada.get(`/recordings/${one.id}`);
      expect({ id: one.id, status }).toEqual({ id: one.id, status: one.state === 'here' ? 200 : 404 });
      if (status !== 200) return;
      const { media, transcription } = body.data;
      expect([media, transcription.status]).toEqual([
        one.media ? 'available' : 'none',
        one.transcript ? 'completed' : 'not_started',
      ]);
    }

    private async compareBin(): Promise<void> {
      const { body } = await ada.get(`/deleted-recordings?organization_id=${this.acme}&limit=100`);
      const found = (body.data as { id: string }[]).map((one) => one.id);
      const expected = this.all.filter(({ state }) => state === 'bin').map((one) => one.id);
      expect(found.toSorted()).toEqual(expected.toSorted());
    }

    /** Each removal has its entry, and what a hold covers has none. */
    async compareLog(): Promise<void> {
      for (const { id: recordingId, purged } of this.all) {
        const rows = await service.dataSource.query<{ removes: string }[]>(
          `SELECT details ->> 'removes' AS removes FROM change_log
           WHERE type = 'recording.purged' AND organization_id = $1 AND target_id = $2`,
          [this.acme, recordingId],
        );
        expect(rows.map(({ removes }) => removes).toSorted()).toEqual(purged.toSorted());
      }
    }
  }

  async function build(binDays: number, noticeDays: number): Promise<World> {
    const name = `World ${id()}`;
    const folders = [folder('A'), folder('B')];
    const acme = organization(name, { members: [member('Ada', 'OWNER'), member('Bob', 'EDITOR')], folders });
    const all = Array.from({ length: RECORDINGS }, (_, index) => {
      const isBobs = index % 3 === 0;
      const met = 2 * index;
      const time = new Date(START + met * DAY).toISOString();
      const place = { organization: name, folder: index % 2 === 0 ? 'A' : 'B' };
      const times = { createdAt: time, startedAt: time, endedAt: time };
      const content = { media: 'call.mp4', transcript: transcript(2), summary };
      const input = recording(isBobs ? 'Bob' : 'Ada', {
        ...place,
        ...times,
        ...content,
        title: `${name} ${index}`,
      });
      const known: Known = {
        id: input.id,
        isBobs,
        met,
        placed: met,
        filed: met,
        folder: index % 2,
        state: 'here',
        purgeDay: 0,
        media: true,
        transcript: true,
        holds: new Set(),
        purged: [],
      };
      return { input, known };
    });
    const recordings = all.map(({ input }) => input);
    await service.import({ organizations: [acme], recordings }, { 'call.mp4': 'not really a video' });
    await ada.patch(`/organizations/${acme.id}`, { bin_days: binDays });
    const ids = folders.map((one) => (one as { id: string }).id);
    return new World(
      acme.id,
      ids,
      binDays,
      noticeDays,
      all.map(({ known }) => known),
    );
  }

  it('is what rules, holds, the bin and people leave: nothing under hold goes, nothing past its time stays', async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ binDays, noticeDays, steps }) => {
        const one = await build(binDays, noticeDays);
        for (const taken of steps) await one.take(taken);
        await one.compareLog();
      }),
      propertyOptions(2, 20_000, 10_000),
    );
  }, 300_000);
});

function applies({ removes, folder: place, exceptBob }: Rule, one: Known): boolean {
  if (place !== null && place !== one.folder) return false;
  if (exceptBob && one.isBobs) return false;
  return removes === 'all' || one[removes];
}

const withoutBob = (rules: readonly Rule[]): Rule[] =>
  rules
    .filter((one, index) => {
      const first = rules.findIndex(
        ({ removes, folder: place }) => removes === one.removes && place === one.folder,
      );
      return first === index;
    })
    .map((one) => ({ ...one, exceptBob: false }));
