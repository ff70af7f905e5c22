import { describe, expect, it } from '@jest/globals';
import { missedIn, report, rowsOf } from '../../bench/packaging/report.js';

const source = (name: string, work: string) => ({ name, work, file: `/media/${name}` });
const ffmpeg = { side: 'ffmpeg', seconds: 2, cpuSeconds: 1.5, megabytes: 50 };
const service = (measured: object) => ({
  side: 'service',
  seconds: 4,
  cpuSeconds: 3,
  megabytes: 200,
  ...measured,
});

describe('the report of the packaging bench', () => {
  it('compares each side with FFmpeg', () => {
    const [yardstick, row] = rowsOf([{ source: source('copied', 'copy'), measured: [ffmpeg, service({})] }]);
    expect(yardstick).toEqual({ case: 'copied', work: 'copy', ...ffmpeg });
    expect(row).toMatchObject({ case: 'copied', ratios: { wall: 2, cpu: 2 }, missed: [] });
  });

  it.each([
    ['copy', { seconds: 6.2 }, '3.1 times the time (<= 3)'],
    ['copy', { cpuSeconds: 4.8 }, '3.2 times the CPU time (<= 3)'],
    ['copy', { megabytes: 301 }, '301 MB (<= 300)'],
    ['video', { seconds: 2.5, cpuSeconds: 1.5 }, '1.25 times the time (<= 1.2)'],
    ['video', { seconds: 2, cpuSeconds: 3 }, '2 times the CPU time (<= 1.2)'],
  ])('names the target that is missed: %s, %j', (work, measured, message) => {
    const rows = rowsOf([{ source: source('one', work), measured: [ffmpeg, service(measured)] }]);
    expect(missedIn(rows)).toEqual([`one, service: ${message}`]);
    expect(report({ cores: 2, node: 'v20', ffmpeg: '5.1', rounds: 1, rows })).toMatch(
      /\none +service .* NO\n/,
    );
  });

  it('does not judge sound alone', () => {
    const slow = service({ seconds: 100, cpuSeconds: 100, megabytes: 1000 });
    const rows = rowsOf([{ source: source('sound', 'sound'), measured: [ffmpeg, slow] }]);
    expect(missedIn(rows)).toEqual([]);
  });

  it('prints what was measured, where the system tells only the time', () => {
    const rows = rowsOf([
      {
        source: source('copied', 'copy'),
        measured: [
          { side: 'ffmpeg', seconds: 2 },
          { side: 'service', seconds: 4 },
        ],
      },
    ]);
    expect(report({ cores: 2, node: 'v20', ffmpeg: '5.1', rounds: 3, rows })).toBe(
      [
        'Packaging; 2 cores, Node v20, FFmpeg 5.1; medians of 3',
        '',
        'case    side       wall  CPU  peak memory  wall, ratio  CPU, ratio  targets met',
        'copied  ffmpeg   2.00 s    -            -            -           -            -',
        'copied  service  4.00 s    -            -         2.00           -          yes',
        '',
        '',
      ].join('\n'),
    );
  });
});
