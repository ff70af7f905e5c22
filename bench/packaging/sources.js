import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runFfmpeg } from './ffmpeg.js';

const PICTURE = words('-f lavfi -i testsrc2=size=1280x720:rate=30,noise=alls=12:allf=t');
const SOUND = words('-f lavfi -i anoisesrc=color=pink:amplitude=0.2:sample_rate=48000');
/** A clip that is repeated without being encoded again. */
const REPEATED_SECONDS = 10;
/** Sound takes so little time that it has to be longer. */
const SOUND_FACTOR = 20;

/** What is encoded, with FFmpeg's arguments for making it. */
const ENCODED = [
  {
    name: 'VP8, 720p',
    file: 'vp8',
    extension: 'webm',
    work: 'video',
    args: `-c:v libvpx ${realTime()} -c:a libopus`,
  },
  {
    name: 'VP9, 720p',
    file: 'vp9',
    extension: 'webm',
    work: 'video',
    args: `-c:v libvpx-vp9 ${realTime()} -c:a libopus`,
  },
  { name: 'MP3', file: 'sound', extension: 'mp3', work: 'sound', args: '-ac 2 -c:a libmp3lame -b:a 128k' },
  { name: 'Opus', file: 'sound', extension: 'webm', work: 'sound', args: '-ac 2 -c:a libopus -b:a 96k' },
];

/** Files to package, kept in `folder` for the next run. `work`: whether they are copied, encoded, or only sound. */
export function makeSources(ffmpeg, folder, { megabytes, clip, say }) {
  mkdirSync(folder, { recursive: true });
  const make = (name, args) => {
    const file = join(folder, name);
    if (existsSync(file)) return file;
    say(`making ${name}`);
    const partial = join(folder, `partial-${name}`);
    runFfmpeg(ffmpeg, [...args, partial]);
    renameSync(partial, file);
    return file;
  };
  const repeated = make('repeated.mp4', [
    ...PICTURE,
    ...SOUND,
    ...words(`-t ${REPEATED_SECONDS} -c:v libx264 -preset veryfast -b:v 5M -bf 0 -g 60 -pix_fmt yuv420p`),
    ...words('-ac 2 -c:a aac -b:a 128k'),
  ]);
  const times = Math.ceil((megabytes * 1e6) / statSync(repeated).size);
  const copied = make(`copied-${megabytes}.mp4`, [
    ...words(`-stream_loop ${times - 1} -i`),
    repeated,
    ...words('-c copy -movflags +faststart'),
  ]);
  return [
    { name: `H.264 and AAC, ${Math.round(statSync(copied).size / 1e6)} MB`, work: 'copy', file: copied },
    ...ENCODED.map(({ name, file, extension, work, args }) => {
      const seconds = work === 'sound' ? SOUND_FACTOR * clip : clip;
      const picture = work === 'sound' ? [] : PICTURE;
      const path = make(`${file}-${seconds}.${extension}`, [
        ...picture,
        ...SOUND,
        ...words(`-t ${seconds} ${args}`),
      ]);
      return { name: `${name}, ${seconds} s`, work, file: path };
    }),
  ];
}

function realTime() {
  return '-deadline realtime -cpu-used 8 -b:v 2M';
}

function words(text) {
  return text.split(' ');
}
