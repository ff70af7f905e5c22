#!/usr/bin/env node
// Generates the demo videos from the conversations in workspace.json and writes the speech times back into it; one video has
// recorded speech instead.
// Needs on the PATH: espeak-ng (speech), chromium or $CHROMIUM (pictures), ffmpeg and ffprobe (video); and the font Inter
// (Debian: apt-get install espeak-ng chromium ffmpeg fonts-inter). Only for changing the demo; the service needs none of it.
//
//   node demo/make-media.mjs              all videos
//   node demo/make-media.mjs customer     those whose name contains "customer"
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { films } from './slides.mjs';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const workspaceFile = join(here, 'workspace.json');

const RATE = 22_050; // espeak-ng's output
const FPS = 3;
const WIDTH = 960;
const HEIGHT = 540;
const LEAD_IN = 0.4;
const PAUSE = 0.17; // longest silence inside an utterance
const GAP_SAME_SPEAKER = 0.2;
const GAP_NEXT_SPEAKER = 0.3;
const TAIL = 0.7;
const LOUDNESS = 0.1; // root mean square of each utterance, so that all voices are equally loud
const KEY_FRAME_SECONDS = 5;

const initials = (name) =>
  name
    .split(' ')
    .map((word) => word[0])
    .join('');

/** Shortens every silence to PAUSE and trims both ends. */
function tighten(samples) {
  const longest = Math.round(PAUSE * RATE);
  const kept = [];
  let silent = longest;
  for (const sample of samples) {
    silent = Math.abs(sample) > 0.004 ? 0 : silent + 1;
    if (silent <= longest) kept.push(sample);
  }
  return Float32Array.from(kept.slice(0, kept.findLastIndex((sample) => Math.abs(sample) > 0.004) + 1));
}

/** The samples of one utterance, normalized to LOUDNESS. */
async function speak(text, { voice, pitch, speed }, wav) {
  await run('espeak-ng', ['-v', voice, '-p', pitch, '-s', speed, '-z', '-w', wav, text].map(String));
  const bytes = await readFile(wav);
  const start = bytes.indexOf('data') + 8;
  const samples = Float32Array.from(
    { length: (bytes.length - start) >> 1 },
    (_, i) => bytes.readInt16LE(start + 2 * i) / 32768,
  );
  const speech = tighten(samples);
  const level = Math.sqrt(speech.reduce((sum, sample) => sum + sample * sample, 0) / speech.length);
  return speech.map((sample) => Math.max(-0.95, Math.min(0.95, (sample * LOUDNESS) / level)));
}

/** Records all segments in one audio file; returns when each of them starts and ends. */
async function record(segments, cast, folder) {
  const parts = [];
  const times = [];
  let position = 0;
  const silence = (seconds) => {
    const samples = new Float32Array(Math.round(seconds * RATE));
    parts.push(samples);
    position += samples.length;
  };
  silence(LEAD_IN);
  for (const [i, { speaker, text }] of segments.entries()) {
    if (i > 0) silence(segments[i - 1].speaker === speaker ? GAP_SAME_SPEAKER : GAP_NEXT_SPEAKER);
    if (!cast[speaker]) throw new Error(`no voice for "${speaker}"`);
    const speech = await speak(text, cast[speaker], join(folder, 'utterance.wav'));
    const seconds = (samples) => Math.round((samples / RATE) * 100) / 100;
    times.push({ start: seconds(position), end: seconds(position + speech.length) });
    parts.push(speech);
    position += speech.length;
  }
  silence(TAIL);

  const pcm = Buffer.alloc(position * 2);
  let offset = 0;
  for (const part of parts)
    for (const sample of part) offset = pcm.writeInt16LE(Math.round(sample * 32767), offset);
  await writeFile(join(folder, 'speech.pcm'), pcm);
  return { times, duration: position / RATE };
}

/** Takes recorded speech; returns when each speaker starts. */
async function decode({ speech, turns }, folder) {
  const pcm = join(folder, 'speech.pcm');
  const format = ['-ar', RATE, '-ac', 1, '-f', 's16le', pcm];
  await run('ffmpeg', ['-v', 'error', '-y', '-i', join(here, speech), ...format].map(String));
  return { times: turns, duration: (await stat(pcm)).size / 2 / RATE };
}

function page(film, title, scene, speaker) {
  const people = Object.entries(film.cast).map(([name, { role, colour }]) => {
    const avatar = `<div class="avatar" style="background:${colour}">${initials(name)}</div>`;
    return name === speaker
      ? `<div class="speaking">${avatar}<div><b>${name}</b>${role}</div></div>`
      : avatar;
  });
  return `<!doctype html><meta charset="utf-8"><style>
    :root { --accent: ${film.accent} }
    * { box-sizing: border-box; margin: 0 }
    body { width: ${WIDTH}px; height: ${HEIGHT}px; background: #15212b; color: #fff; font: 500 20px Inter, sans-serif }
    header { position: absolute; left: 32px; top: 22px; font-size: 24px; font-weight: 600; white-space: nowrap }
    main { position: absolute; left: 32px; top: 72px; width: 896px; height: 352px; display: flex; background: #f8f8f4; color: #15212b }
    h1 { flex: none; width: 272px; padding: 32px 20px 0 28px; background: var(--accent); color: #fff; font-size: 34px; line-height: 1.2 }
    section { padding: 20px 32px; flex: 1 }
    ul { list-style: none; padding: 16px 0 0 }
    li { padding-left: 32px; margin-bottom: 28px; font-size: 27px; position: relative; white-space: nowrap }
    li::before { content: ''; position: absolute; left: 0; top: 8px; width: 16px; height: 16px; background: var(--accent) }
    p { padding-top: 4px }
    .bars { display: flex; gap: 24px; height: 280px; align-items: flex-end; text-align: center }
    .bar { flex: 1; max-width: 144px }
    .bar b { font-size: 26px }
    .bar i { display: block; margin: 2px 0 6px }
    .step { display: flex; align-items: center; gap: 24px; font-size: 26px; padding: 14px 0 }
    .step b { width: 96px; padding: 8px 0; text-align: center; background: #dfe5e9; font-size: 24px }
    .step.hot b { background: var(--accent); color: #fff }
    .phone { width: 256px; height: 308px; margin: 0 auto; padding: 24px 16px; border: 6px solid #15212b; border-radius: 24px; text-align: center; position: relative }
    .phone b { font-size: 27px; display: block; margin-bottom: 10px }
    .phone em { position: absolute; left: 10px; right: 10px; bottom: 10px; border-radius: 12px; background: var(--accent); color: #fff; font: 700 25px/128px Inter, sans-serif }
    svg { display: block; margin: 0 auto }
    footer { position: absolute; left: 32px; top: 444px; height: 72px; display: flex; align-items: center; gap: 16px }
    .avatar { flex: none; width: 56px; height: 56px; border-radius: 50%; text-align: center; font: 700 21px/56px Inter, sans-serif }
    .speaking { display: flex; align-items: center; gap: 14px; height: 72px; padding: 0 24px 0 8px; background: #2f4658 }
    .speaking b { display: block; font-size: 22px }
  </style><header>${title}</header>
  <main><h1>${scene.title}</h1><section>${scene.body}</section></main><footer>${people.join('')}</footer>`;
}

async function draw(html, name, folder) {
  const source = join(folder, `${name}.html`);
  const picture = join(folder, `${name}.png`);
  await writeFile(source, html);
  const size = `--window-size=${WIDTH},${HEIGHT}`;
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--hide-scrollbars',
    '--force-device-scale-factor=1',
    size,
  ];
  await run(process.env.CHROMIUM ?? 'chromium', [...flags, `--screenshot=${picture}`, `file://${source}`]);
}

/** One picture for every scene and speaker, and a list of how long each is shown, in whole frames. */
async function paint(film, title, segments, { times, duration }, folder) {
  const drawn = new Set();
  const list = [];
  let shownFrames = 0;
  for (const [i, { speaker }] of segments.entries()) {
    const scene = film.scenes.findLastIndex(({ from }) => from <= i);
    const name = `${scene}-${Object.keys(film.cast).indexOf(speaker)}`;
    if (!drawn.has(name)) await draw(page(film, title, film.scenes[scene], speaker), name, folder);
    drawn.add(name);
    const until = i + 1 < segments.length ? times[i + 1].start - 0.1 : duration;
    const frames = Math.ceil(until * FPS) - shownFrames;
    list.push(`file '${name}.png'\nduration ${frames / FPS}\n`);
    shownFrames += frames;
  }
  list.push(list.at(-1).split('\n')[0] + '\n'); // the concat demuxer requires the last picture twice
  await writeFile(join(folder, 'pictures.txt'), list.join(''));
}

async function encode(film, duration, folder, output) {
  const keyInterval = KEY_FRAME_SECONDS * FPS;
  // A constant quantizer: still slides gain nothing from better key frames, which are most of the video's bytes.
  const x264 = `keyint=${keyInterval}:min-keyint=${keyInterval}:scenecut=0:bframes=3:mbtree=0:psy=0:ipratio=1:pbratio=1`;
  const pictures = ['-f', 'concat', '-i', join(folder, 'pictures.txt')];
  const speech = ['-f', 's16le', '-ar', RATE, '-ac', 1, '-i', join(folder, 'speech.pcm')];
  const video = [
    '-vf',
    `fps=${FPS},format=yuv420p`,
    '-c:v',
    'libx264',
    '-profile:v',
    'high',
    '-preset',
    'veryslow',
  ];
  const quality = ['-qp', 41, '-x264-params', x264];
  // At this bit rate the fast coder with a narrow band keeps speech clearer than the default coder.
  const narrow = ['-aac_coder', 'fast', '-cutoff', 5000, '-b:a', 8400];
  // Speech that is to be recognized by the service.
  const wide = ['-b:a', 32_000];
  const audio = ['-c:a', 'aac', ...(film.speech ? wide : narrow), '-ar', 16_000, '-ac', 1];
  const file = [
    '-t',
    duration.toFixed(3),
    '-map_metadata',
    -1,
    '-fflags',
    '+bitexact',
    '-movflags',
    '+faststart',
  ];
  const options = [['-v', 'error', '-y'], pictures, speech, video, quality, audio, file, output].flat();
  await run('ffmpeg', options.map(String));
  const probe = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', output];
  return Number((await run('ffprobe', probe)).stdout);
}

const workspace = JSON.parse(await readFile(workspaceFile, 'utf8'));
await mkdir(join(here, 'media'), { recursive: true });
for (const recording of workspace.recordings.filter(({ media }) => media)) {
  const film = films[recording.media];
  const output = join(here, recording.media);
  if (!process.argv[2] || recording.media.includes(process.argv[2])) {
    const folder = await mkdtemp(join(tmpdir(), 'demo-media-'));
    const segments = recording.transcript?.segments ?? film.narration ?? film.turns;
    const sound = film.speech ? await decode(film, folder) : await record(segments, film.cast, folder);
    await paint(film, recording.title, segments, sound, folder);
    const duration = await encode(film, sound.duration, folder, output);
    if (recording.transcript) segments.forEach((segment, i) => Object.assign(segment, sound.times[i]));
    recording.endedAt = new Date(Date.parse(recording.startedAt) + Math.round(duration * 1000)).toISOString();
    await rm(folder, { recursive: true });
    console.log(`${recording.media}: ${duration.toFixed(1)} s, ${(await stat(output)).size} bytes`);
  }
}
await writeFile(workspaceFile, JSON.stringify(workspace, null, 2) + '\n');
