import { table } from '../table.js';
import { MAX_TRACKS_RATIO } from './tracks.js';
import { MAX_RATIO } from './waits.js';

/** The measurements as plain tables. */
export function report({ cores, node, accuracy, speed, tracks, waits }) {
  return [
    `Speech; ${cores} cores, Node ${node}`,
    '',
    'Accuracy: word error rate',
    ...table(
      ['file', 'words', 'substituted', 'inserted', 'deleted', 'rate', 'target', 'met'],
      accuracy.map((row) => [
        row.file,
        ...[row.words, row.substitutions, row.insertions, row.deletions].map(String),
        row.rate.toFixed(4),
        row.target,
        row.met ? 'yes' : 'NO',
      ]),
    ),
    ...accuracy.flatMap(differenceLines),
    '',
    'Speed: time since the last byte; peak memory',
    ...table(
      [
        'meeting',
        'playable',
        'transcript',
        'summary',
        'times real time',
        'speech process',
        'packaging process',
      ],
      speed.map((row) => [
        `${row.minutes} min`,
        ...[row.playable, row.transcribed, row.summarized].map((seconds) => `${seconds.toFixed(1)} s`),
        row.realTimeFactor.toFixed(1),
        ...[row.megabytes.speech, row.megabytes.packaging].map(megabytes),
      ]),
    ),
    '',
    tracksLine(tracks),
    '',
    'Waits: 50 requests a second, quiet and during a transcription',
    ...table(
      ['request', 'p50 quiet', 'p99 quiet', 'p50', 'p99', 'ratio', 'target', 'met'],
      waits.map(({ operation, quiet, loaded, ratio, met }) => [
        operation,
        ...[quiet.p50, quiet.p99, loaded.p50, loaded.p99].map(milliseconds),
        ratio === null ? 'none' : ratio.toFixed(2),
        `<= ${MAX_RATIO}`,
        met ? 'yes' : 'NO',
      ]),
    ),
    '',
  ].join('\n');
}

/** What the bench says at the end about each target that was missed. */
export function missedIn({ accuracy, speed, tracks, waits }) {
  return [
    ...accuracy
      .filter(({ met }) => !met)
      .map(({ file, rate, target }) => `word error rate ${rate} of ${file} (${target})`),
    ...(tracks.met ? [] : [`${tracks.people} tracks cost ${tracks.ratio} times one with the same speech`]),
    ...speed.flatMap(({ minutes, missed }) => missed.map((what) => `${what} for ${minutes} min`)),
    ...waits
      .filter(({ met }) => !met)
      .map(({ operation, ratio }) =>
        ratio === null
          ? `no p99 of ${operation} during a transcription`
          : `p99 of ${operation} ${ratio} times the quiet one`,
      ),
  ];
}

function differenceLines({ file, differences }) {
  return differences.map(({ said, heard }) => `  ${file}: ${quoted(said)} was heard as ${quoted(heard)}`);
}

const tracksLine = ({ people, minutes, tracks, one, ratio }) =>
  `Tracks: ${people} tracks of ${minutes} min took ${tracks.cpu} s of CPU for ${tracks.words} words, one with the same speech ${one.cpu} s for ${one.words}: ${ratio} times (<= ${MAX_TRACKS_RATIO})`;

const quoted = (words) => (words === '' ? 'nothing' : `"${words}"`);

const megabytes = (value) => (value === null ? '-' : `${value} MB`);

const milliseconds = (value) => (value === null ? 'no reply' : `${value.toFixed(1)} ms`);
