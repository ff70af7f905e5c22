import { expect, it } from '@jest/globals';
import { runFfmpeg } from '../../src/lib/media-engine/ffmpeg/ffmpeg.tool.js';
import { FFMPEG, ffmpegPath } from '../support/requirements.js';

const ENDLESS = '-v error -nostats -f lavfi -i testsrc=s=1920x1080';

const run = (program: string, args: string) =>
  runFfmpeg({ program, args: args.split(' '), cpuSeconds: 1, bytes: 55_000, onOutput: () => undefined });

FFMPEG.describe('a run of FFmpeg', () => {
  it.each([
    ['ffmpeg', `${ENDLESS} -f null -`],
    ['ffprobe', ENDLESS.replace('-nostats', '-show_frames')],
  ])('fails permanently when %s exceeds the CPU time limit of the file', async (name, args) => {
    await expect(run((ffmpegPath ?? '').replace(/ffmpeg$/, name), args)).rejects.toMatchObject({
      name: 'UnplayableMediaError',
      message: 'Processing the file takes more than 1 s of CPU time, the limit for 55 KB of data.',
    });
  });

  it('is worth a retry when the program is missing', async () => {
    await expect(run('/nowhere/ffmpeg', ENDLESS)).rejects.toMatchObject({
      name: 'FfmpegError',
      reason: 'could not be started',
      mayPass: true,
    });
  });
});
