import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const BENCH = fileURLToPath(new URL('../../bench/speech', import.meta.url));
const SPEECH = fileURLToPath(new URL('../data/speech', import.meta.url));

interface Summary {
  readonly p50: number;
  readonly p99: number;
  readonly sent: number;
  readonly failed: number;
}
interface Reply {
  readonly status: number;
  readonly data?: object;
  readonly body?: string;
}
interface Meetings {
  readonly Meeting: new (
    client: { api: () => Promise<Reply>; send?: (method: string, path: string) => Promise<Reply> },
    id: string,
  ) => {
    playable(): Promise<number>;
    transcribed(): Promise<number>;
    summarized(): Promise<number>;
    text(): Promise<string>;
  };
}
interface Speed {
  rowOf(times: {
    minutes: number;
    playable: number;
    transcribed: number;
    summarized: number;
    megabytes: { speech: number | null; packaging: number | null };
  }): object;
}
interface Accuracy {
  judged(errors: { rate: number }, target: { most?: number; below?: number }): object;
}
interface Waits {
  compared(operation: string, quiet: Summary, loaded: Summary): object;
}
interface Report {
  missedIn(result: object): string[];
}

/** The bench is JavaScript without types. */
const load = async <Module>(name: string): Promise<Module> => (await import(`${BENCH}/${name}.js`)) as Module;

describe('the recordings of the speech bench', () => {
  it('are part of the repository, each with what is said in it', async () => {
    const { REFERENCES } = await load<{ REFERENCES: Record<string, string> }>('recordings');
    expect(Object.keys(REFERENCES)).toEqual(['jfk.flac', 'about-speech-sdk.flac', 'two-people.flac']);
    for (const name of Object.keys(REFERENCES))
      expect([name, existsSync(join(SPEECH, name))]).toEqual([name, true]);
  });
});

describe('the targets of the speech bench', () => {
  it('for word error rates are met at the limit or below it', async () => {
    const { judged } = await load<Accuracy>('accuracy');
    expect(judged({ rate: 0 }, { most: 0 })).toMatchObject({ rate: 0, target: '0', met: true });
    expect(judged({ rate: 0.01 }, { most: 0 })).toMatchObject({ met: false });
    expect(judged({ rate: 0.0699 }, { below: 0.07 })).toMatchObject({ target: '< 0.07', met: true });
    expect(judged({ rate: 0.07 }, { below: 0.07 })).toMatchObject({ met: false });
  });

  it('for speed and memory name what was missed', async () => {
    const { rowOf } = await load<Speed>('speed');
    const hour = { minutes: 60, playable: 12, transcribed: 190, summarized: 191.04 };
    expect(rowOf({ ...hour, megabytes: { speech: 500, packaging: 120 } })).toEqual({
      minutes: 60,
      playable: 12,
      transcribed: 190,
      summarized: 191,
      realTimeFactor: 20.2,
      megabytes: { speech: 500, packaging: 120 },
      missed: [],
    });
    expect(
      rowOf({ ...hour, playable: 20, transcribed: 211, megabytes: { speech: 501, packaging: null } }),
    ).toMatchObject({
      missed: ['18.8 times real time', 'transcribed after 211 s', '501 MB in the speech process'],
    });
    const short = { ...hour, minutes: 1, transcribed: 14, megabytes: { speech: null, packaging: null } };
    expect(rowOf(short)).toMatchObject({
      realTimeFactor: 30,
      missed: ['memory of the speech process not measured'],
    });
  });

  it('for waits compare the p99 with the quiet one, and are missed without replies', async () => {
    const { compared } = await load<Waits>('waits');
    const waits = (p99: number): Summary => ({ p50: 2, p99, sent: 100, failed: 0 });
    expect(compared('GET', waits(5), waits(10))).toMatchObject({ ratio: 2, met: true });
    expect(compared('GET', waits(5), waits(10.1))).toMatchObject({ ratio: 2.02, met: false });
    expect(compared('GET', waits(5), waits(Infinity))).toMatchObject({
      loaded: { p99: null },
      ratio: null,
      met: false,
    });
  });

  it('are listed at the end when they were missed', async () => {
    const { missedIn } = await load<Report>('report');
    const accuracy = { file: 'jfk.flac', rate: 0.0455, target: '0', met: false };
    const speed = { minutes: 10, missed: ['18.8 times real time'] };
    const waits = { operation: 'GET /recordings', ratio: 2.5, met: false };
    expect(missedIn({ accuracy: [accuracy], speed: [speed], waits: [waits] })).toEqual([
      'word error rate 0.0455 of jfk.flac (0)',
      '18.8 times real time for 10 min',
      'p99 of GET /recordings 2.5 times the quiet one',
    ]);
    const met = { accuracy: [{ ...accuracy, met: true }], speed: [], waits: [{ ...waits, met: true }] };
    expect(missedIn(met)).toEqual([]);
    expect(missedIn({ accuracy: [], speed: [], waits: [{ ...waits, ratio: null }] })).toEqual([
      'no p99 of GET /recordings during a transcription',
    ]);
  });
});

describe('a meeting in the speech bench', () => {
  const recording = (status: string, transcription = 'not_started', summary = 'not_started'): object => ({
    status,
    statusReason: 'damaged',
    transcription: { status: transcription, statusReason: 'no speech' },
    summary: { status: summary, statusReason: null },
  });

  /** Each request returns the next of these recordings. */
  async function meeting(...states: object[]) {
    const { Meeting } = await load<Meetings>('meeting');
    const api = async (): Promise<Reply> => ({ status: 200, data: states.shift() });
    return new Meeting({ api }, 'id');
  }

  it('is followed until it plays, has its transcript and its summary', async () => {
    const followed = await meeting(
      recording('PROCESSING'),
      recording('MIGRATING'),
      recording('COMPLETED', 'processing'),
      recording('COMPLETED', 'processing'),
      recording('COMPLETED', 'completed'),
      recording('COMPLETED', 'completed', 'processing'),
      recording('COMPLETED', 'completed', 'completed'),
    );
    const playable = await followed.playable();
    const transcribed = await followed.transcribed();
    const summarized = await followed.summarized();
    expect(playable).toBeGreaterThan(0.05);
    expect(transcribed).toBeGreaterThan(playable + 0.05);
    expect(summarized).toBeGreaterThan(transcribed);
  });

  it('ends the measurement when a step fails, with the reason', async () => {
    await expect((await meeting(recording('ERROR'))).playable()).rejects.toThrow('packaging failed: damaged');
    const failed = await meeting(recording('COMPLETED', 'failed'), recording('COMPLETED', 'failed'));
    await expect(failed.transcribed()).rejects.toThrow('the transcription failed: no speech');
  });

  it('has the text of all pages of its transcript', async () => {
    const { Meeting } = await load<Meetings>('meeting');
    const asked: string[] = [];
    const send = async (method: string, path: string): Promise<Reply> => {
      asked.push(`${method} ${path}`);
      const first = asked.length === 1;
      const segments = first ? [{ text: 'Good' }, { text: 'morning,' }] : [{ text: 'Steve.' }];
      const data = { segments, pagination: { total_chunks: 51, has_more: first } };
      return { status: 200, body: JSON.stringify({ data }) };
    };
    const api = (): Promise<Reply> => Promise.reject(new Error('was asked'));
    expect(await new Meeting({ api, send }, 'id').text()).toBe('Good morning, Steve.');
    expect(asked).toEqual([
      'GET /api/v1/recordings/id/transcript?start_chunk=0',
      'GET /api/v1/recordings/id/transcript?start_chunk=50',
    ]);
  });
});
