import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { keyOf, recording, user } from '../../factories/workspace.js';
import type { Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

/** `FC_SEED=...` reproduces a printed failure; `FC_RUNS` sets the number of transcripts. */
const RUNS = Number(process.env['FC_RUNS'] ?? 60);
const SEED = process.env['FC_SEED'] && { seed: Number(process.env['FC_SEED']) };

interface Rename {
  readonly from: string;
  readonly to: string;
  readonly segments?: { readonly first: number; readonly last: number };
}

const LABELS = ['', 'Ada', 'Grace', 'Alan'];
const transcripts = fc.array(fc.constantFrom(...LABELS), { minLength: 10, maxLength: 70 });

/** Few labels and short lists, so that about half of the requests are valid. */
const renamesOf = (count: number): fc.Arbitrary<Rename[]> => {
  const id = fc.integer({ min: 0, max: count - 1 });
  const range = fc.tuple(id, id).map(([one, other]) => ({
    first: Math.min(one, other),
    last: Math.max(one, other),
  }));
  const rename = fc.record(
    { from: fc.constantFrom(...LABELS), to: fc.constantFrom('Ada', 'Grace', 'Edsger'), segments: range },
    { requiredKeys: ['from', 'to'] },
  );
  return fc.array(rename, { minLength: 1, maxLength: 3 });
};

const isWithin = ({ segments }: Rename, index: number): boolean =>
  !segments || (index >= segments.first && index <= segments.last);

/** The rules, segment by segment; null if the request must be rejected. */
function expected(speakers: readonly string[], renames: readonly Rename[]): string[] | null {
  const matches = (rename: Rename, index: number) =>
    rename.from === speakers[index] && isWithin(rename, index);
  const indexes = [...speakers.keys()];
  const isTwice = renames.some((one, at) =>
    renames.some(
      (other, place) =>
        place < at &&
        one.from === other.from &&
        indexes.some((index) => isWithin(one, index) && isWithin(other, index)),
    ),
  );
  const isUnused = renames.some((rename) => !indexes.some((index) => matches(rename, index)));
  if (isTwice || isUnused) return null;
  return speakers.map((speaker, index) => renames.find((rename) => matches(rename, index))?.to ?? speaker);
}

describe('any renames of any transcript', () => {
  let service: TestService;
  let ada: Client;
  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  it('change exactly the segments they match, or are rejected and change nothing', async () => {
    const outcomes = { applied: 0, rejected: 0 };
    const cases = transcripts.chain((speakers) =>
      fc.record({ speakers: fc.constant(speakers), renames: renamesOf(speakers.length) }),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ({ speakers, renames }) => {
        const segments = speakers.map((speaker, start) => ({ start, end: start + 1, speaker, text: 'Hi' }));
        const meeting = recording('Ada', { transcript: { language: 'en', segments } });
        await service.import({ recordings: [meeting] });
        const path = `/recordings/${meeting.id}/transcript`;
        const wanted = expected(speakers, renames);
        const reply = await ada.patch(`${path}/speakers`, renames);
        const { data } = (await ada.get(path)).body;
        outcomes[wanted ? 'applied' : 'rejected'] += 1;
        expect(reply.status).toBe(wanted ? 200 : 400);
        const now = wanted ?? speakers;
        expect(data.segments.map(({ speaker }: { speaker: string }) => speaker)).toEqual(now);
        expect(data.speakers).toEqual([...new Set(now)].filter((speaker) => speaker !== ''));
        expect(data.revision).toBe(wanted ? 2 : 1);
        if (wanted) expect(reply.body.data.speakers).toEqual(data.speakers);
      }),
      { numRuns: RUNS, ...SEED },
    );
    // Otherwise the requests were too odd, or not odd enough, to prove anything.
    expect(outcomes.applied).toBeGreaterThan(RUNS / 10);
    expect(outcomes.rejected).toBeGreaterThan(RUNS / 10);
  });
});
