import { cpus } from 'node:os';
import { join } from 'node:path';
import { cpuOfTree } from './cpu-time.js';
import { onEnd } from './endings.js';
import { HttpClient } from './fairness/http-client.js';
import { besideJumping } from './live/jumping-meetings.js';
import { LiveMeeting } from './live/live-meeting.js';
import { median, round } from './numbers.js';
import { liveSpeech } from './speech/recordings.js';
import { KEY, startService } from './speech/service.js';
import { table } from './table.js';

const REPLY_DEADLINE_MS = 60_000;
const AT_ONCE = [1, 2, 4];
/** Seconds; a share page looks every three. */
const TARGETS = { word: 12, summary: 30 };

/** How many times longer another user may wait for them. */
const MAX_RATIO = 2;

/** Sends meetings of the first of `minutes` in real time, and measures when their words can be read. */
export async function measure({ data, minutes: [minutes], say }) {
  const folder = join(data, 'live');
  const { base, pid } = await startService(folder);
  const client = new HttpClient({ base, key: KEY, connections: 16, timeout: REPLY_DEADLINE_MS });
  onEnd(() => client.close());
  const media = await liveSpeech(folder, minutes, say);
  const seconds = minutes * 60;
  const rows = [];
  for (const count of AT_ONCE) {
    say(`live: ${count} at once, for ${minutes} min`);
    const before = cpuOfTree(pid);
    const meetings = await Promise.all(
      Array.from({ length: count }, (_, place) => LiveMeeting.begin(client, `${count}-${place}`, seconds)),
    );
    await Promise.all(meetings.map((meeting) => meeting.record(media)));
    const cpu = before === null ? null : (cpuOfTree(pid) - before) / 1e6 / seconds / count;
    const summaries = await Promise.all(meetings.map((meeting) => meeting.summarized()));
    rows.push(rowOf(count, meetings, summaries, cpu));
  }
  const jumping = await besideJumping({ base, client, media, seconds, say });
  const result = {
    date: new Date().toISOString(),
    cores: cpus().length,
    minutes,
    targets: TARGETS,
    rows,
    jumping,
  };
  process.stdout.write(report(result));
  const [{ word, summary }] = rows;
  const missed = [
    ...(word.worst > TARGETS.word ? [`a word of a single meeting after ${word.worst} s`] : []),
    ...(summary > TARGETS.summary ? [`its summary after ${summary} s`] : []),
    ...(jumping.ratio > MAX_RATIO
      ? [`the first words ${jumping.ratio} times as late beside meetings whose clocks jump`]
      : []),
  ];
  return { ...result, missed };
}

function rowOf(count, meetings, summaries, cpu) {
  const delays = meetings.flatMap((meeting) => meeting.delays);
  return {
    count,
    word: { median: round(median(delays), 1), worst: round(Math.max(...delays), 1) },
    summary: round(Math.max(...summaries), 1),
    cores: cpu === null ? null : round(cpu),
  };
}

function report({ cores, minutes, rows, jumping }) {
  return [
    `Meetings in progress, ${minutes} min in real time; ${cores} cores, seconds since the bytes were acknowledged`,
    '',
    ...table(
      ['meetings', 'a word, median', 'worst', 'summary after the end', 'cores for each'],
      rows.map(({ count, word, summary, cores: each }) => [
        String(count),
        ...[word.median, word.worst, summary].map((seconds) => `${seconds.toFixed(1)} s`),
        each === null ? '-' : each.toFixed(2),
      ]),
    ),
    '',
    `First words after ${jumping.alone} s, beside ${jumping.meetings} meetings of another user whose clocks jump after ${jumping.beside} s: ${jumping.ratio} times as late`,
    '',
  ].join('\n');
}
