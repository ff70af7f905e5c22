import { describe, expect, it } from '@jest/globals';
import { assert, date, integer, option, property, runs } from '../../support/properties.js';
import { splitIntoSpans } from '../../../src/modules/recordings/list/recording-spans.js';

const at = (text: string): Date => new Date(text);

describe('a date range split into spans that have counts', () => {
  it('is everything, by months, if unbounded', () => {
    expect(splitIntoSpans(undefined, undefined)).toEqual({
      counted: [{ unit: 'month', since: '-infinity', until: 'infinity' }],
      rest: [],
    });
  });

  it('is whole months, the days around them, and the rest of the first and last day', () => {
    expect(splitIntoSpans(at('2026-01-30T12:00:00Z'), at('2026-04-02T05:00:00.000Z'))).toEqual({
      counted: [
        { unit: 'day', since: '2026-01-31', until: '2026-02-01' },
        { unit: 'month', since: '2026-02-01', until: '2026-04-01' },
        { unit: 'day', since: '2026-04-01', until: '2026-04-02' },
      ],
      rest: [
        { since: at('2026-01-30T12:00:00Z'), until: at('2026-01-31T00:00:00Z') },
        { since: at('2026-04-02T00:00:00Z'), until: at('2026-04-02T05:00:00.001Z') },
      ],
    });
  });

  it('is only rest within a day, and empty if reversed', () => {
    const [from, to] = [at('2026-01-30T12:00:00Z'), at('2026-01-30T13:00:00Z')];
    expect(splitIntoSpans(from, to)).toEqual({
      counted: [],
      rest: [{ since: from, until: at('2026-01-30T13:00:00.001Z') }],
    });
    expect(splitIntoSpans(to, from)).toEqual({ counted: [], rest: [] });
  });

  it('ends with the last supported year', () => {
    expect(splitIntoSpans(at('9999-12-31T00:00:00Z'), at('9999-12-31T23:59:59.999Z'))).toEqual({
      counted: [{ unit: 'day', since: '9999-12-31', until: 'infinity' }],
      rest: [],
    });
  });

  it('contains every moment of the range once, and no other', () => {
    const moments = date({ min: at('2025-01-01'), max: at('2026-12-31'), noInvalidDate: true });
    assert(
      property(
        option(moments),
        option(moments),
        moments,
        integer({ min: -1, max: 1 }),
        (from, to, moment, nudge) => {
          const probes = [moment, from, to].flatMap((base) =>
            base ? [new Date(base.getTime() + nudge)] : [],
          );
          const spans = splitIntoSpans(from ?? undefined, to ?? undefined);
          for (const probe of probes) {
            const inside = (!from || probe >= from) && (!to || probe <= to);
            expect(timesHeld(spans, probe)).toBe(inside ? 1 : 0);
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });
});

function timesHeld({ counted, rest }: ReturnType<typeof splitIntoSpans>, moment: Date): number {
  const edge = (text: string): number =>
    text === 'infinity' ? Infinity : text === '-infinity' ? -Infinity : Date.parse(text);
  const ranges = [
    ...counted.map(({ since, until }) => [edge(since), edge(until)] as const),
    ...rest.map(({ since, until }) => [since.getTime(), until.getTime()] as const),
  ];
  return ranges.filter(([since, until]) => since <= moment.getTime() && moment.getTime() < until).length;
}
