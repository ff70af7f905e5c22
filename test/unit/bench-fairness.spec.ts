import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';

const BENCH = fileURLToPath(new URL('../../bench/fairness', import.meta.url));

interface Summary {
  readonly p50: number;
  readonly p99: number;
  readonly sent: number;
  readonly failed: number;
}
interface SamplesModule {
  readonly Samples: new (every: number) => { add(ms: number, failed?: boolean): void; summary(): Summary };
  overRounds(summaries: readonly Summary[]): Summary;
}
interface Load {
  readonly id: string;
}
interface LoadsModule {
  readonly LOADS: readonly Load[];
  loadsNamed(text: string): readonly Load[] | null;
}
interface MediaModule {
  longMp4(): Buffer;
  slowWav(): Buffer;
}
interface TextsModule {
  readonly REFERENCES: string;
  captions(count: number): string;
}

/** The bench is JavaScript without types. */
const load = async <Module>(name: string): Promise<Module> => (await import(`${BENCH}/${name}.js`)) as Module;

describe('the waits recorded by the fairness bench', () => {
  let samples: SamplesModule;
  beforeAll(async () => {
    samples = await load('samples');
  });

  it('include requests that would have arrived during a wait', () => {
    const waits = new samples.Samples(20);
    for (let n = 0; n < 50; n += 1) waits.add(5);
    waits.add(1_000);
    // Of 100 waits, 50 are 5 ms, the others 20, 40, ... 1,000 ms.
    expect(waits.summary()).toEqual({ p50: 5, p99: 980, sent: 51, failed: 0 });
  });

  it('are infinite without a reply, for every request that would have arrived meanwhile', () => {
    const waits = new samples.Samples(20);
    for (let n = 0; n < 400; n += 1) waits.add(5);
    waits.add(100, true);
    expect(waits.summary()).toEqual({ p50: 5, p99: Infinity, sent: 401, failed: 1 });
  });

  it('are summarized by the medians of the rounds, even if one had no replies', () => {
    const round = (p99: number, failed = 0): Summary => ({ p50: p99 / 2, p99, sent: 10, failed });
    expect(samples.overRounds([round(6), round(Infinity, 10), round(8)])).toEqual({
      p50: 4,
      p99: 8,
      sent: 30,
      failed: 10,
    });
  });
});

describe('the loads of the fairness bench', () => {
  it('are selected by name, or by the number of a group', async () => {
    const { LOADS, loadsNamed } = await load<LoadsModule>('loads');
    expect(loadsNamed('3,2b')?.map(({ id }) => id)).toEqual(['2b', '3a', '3b', '3c']);
    expect(loadsNamed(LOADS.map(({ id }) => id).join(','))).toEqual(LOADS);
    expect(loadsNamed('3,99')).toBeNull();
    expect(loadsNamed('')).toBeNull();
  });

  it('send small media that claim to be long', async () => {
    const { longMp4, slowWav } = await load<MediaModule>('media');
    const duration = (file: Buffer): Promise<number> =>
      new Input({ formats: ALL_FORMATS, source: new BufferSource(file) }).computeDuration();
    const day = 24 * 60 * 60;
    expect(longMp4().length).toBe(55_076);
    expect((await duration(longMp4())) / day).toBeCloseTo(27, 0);
    expect(slowWav().length).toBe(50_044);
    expect(await duration(slowWav())).toBe(50_000);
  });

  it('send texts of the maximum accepted length', async () => {
    const { REFERENCES, captions } = await load<TextsModule>('texts');
    expect(REFERENCES.length).toBeGreaterThan(99_900);
    expect(REFERENCES.length).toBeLessThanOrEqual(100_000);
    const bytes = Buffer.byteLength(captions(80_000));
    expect(bytes).toBeGreaterThan(18 * 1024 * 1024);
    expect(bytes).toBeLessThanOrEqual(20 * 1024 * 1024);
  });
});
