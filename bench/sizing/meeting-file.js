import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFfmpeg, runFfmpeg } from '../packaging/ffmpeg.js';
import { longSpeech } from '../speech/recordings.js';

const CLIP_SECONDS = 10;
const PICTURE = '-f lavfi -i testsrc2=size=1280x720:rate=25,noise=alls=6:allf=t';
const CODED = '-c:v libx264 -preset veryfast -b:v 1M -maxrate 1M -bufsize 2M -bf 0 -g 50 -pix_fmt yuv420p';

/** A meeting in 720p as H.264 with AAC, about 1 Mbit/s: speech, and a clip that is repeated. */
export async function makeMeeting(folder, minutes, say) {
  const ffmpeg = findFfmpeg();
  if (!ffmpeg)
    throw new Error('FFmpeg, which makes the video, is not on the PATH (Debian: apt-get install ffmpeg)');
  const [clip, sound, file] = ['clip.mp4', 'sound.mp4', 'meeting.mp4'].map((name) => join(folder, name));
  writeFileSync(sound, await longSpeech(folder, minutes, say));
  runFfmpeg(ffmpeg.path, [...PICTURE.split(' '), '-t', String(CLIP_SECONDS), ...CODED.split(' '), clip]);
  const video = ['-stream_loop', String((minutes * 60) / CLIP_SECONDS), '-i', clip];
  const both = [
    ...video,
    '-i',
    sound,
    '-map',
    '0:v',
    '-map',
    '1:a',
    '-c',
    'copy',
    '-t',
    String(minutes * 60),
  ];
  runFfmpeg(ffmpeg.path, [...both, '-movflags', '+faststart', file]);
  return readFileSync(file);
}
