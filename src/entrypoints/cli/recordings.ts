import { decodeHTML } from 'entities';
import { durationText } from '../../lib/amounts.js';
import { clockTime } from '../../lib/clock-time.js';
import { singleLine } from '../../lib/text.js';
import type { RecordingStatus, ShownStatus } from '../../policy/recording-status.js';
import { failed } from './exit-status.js';
import { text } from './option-values.js';
import { fieldLines, notice } from './output.js';
import { showProgress } from './progress.js';
import { confirm, type Confirmable } from './prompts.js';

/** What is shown of a recording, of the host or a server. */
interface Shown {
  readonly id: string;
  readonly title: string;
  readonly status: RecordingStatus;
  /** Of a server, in ISO 8601. */
  readonly createdAt: Date | string;
  readonly duration: number | null;
  readonly owner: { readonly name: string | null } | null;
}

interface Match {
  readonly source: string;
  readonly start: number | null;
  readonly speaker: string | null;
  /** HTML in which `mark` is the only element. */
  readonly snippet: string;
}

export const LISTED = {
  cells: (row: Shown): string[] => [
    row.id,
    row.status,
    dayOf(row),
    lengthOf(row),
    ownerOf(row),
    singleLine(row.title),
  ],
  titles: ['ID', 'STATUS', 'CREATED', 'LENGTH', 'OWNER', 'TITLE'],
  none: 'No recordings found.',
};

export const FOUND = {
  cells: (row: Shown & { readonly matches: readonly Match[] }): string[] => [
    row.id,
    dayOf(row),
    ownerOf(row),
    singleLine(row.title),
    passageOf(row.matches),
  ],
  titles: ['ID', 'CREATED', 'OWNER', 'TITLE', 'FOUND'],
  none: LISTED.none,
};

/** `recordings get`; `more` follows what all have in common. */
export function detailLines(
  recording: Shown & { readonly statusReason: string | null; readonly progress: number },
  more: readonly (readonly [name: string, value: string])[],
): string {
  const { status, progress, statusReason } = recording;
  const progressed = status === 'COMPLETED' ? '' : ` ${percent(progress)}`;
  return fieldLines([
    ['id', recording.id],
    ['title', singleLine(recording.title)],
    ['status', withReason(`${status}${progressed}`, statusReason)],
    ['created', timeOf(recording)],
    ['length', lengthOf(recording)],
    ...more,
  ]);
}

export const withReason = (status: string, reason: string | null): string =>
  reason === null ? status : `${status}: ${singleLine(reason)}`;

export const ownerOf = ({ owner }: Pick<Shown, 'owner'>): string => singleLine(owner?.name ?? '-');

export const searchWords = (given: string): string => text('text', given, { min: 1, max: 200 });

/** Says that other words were searched for, if any were. */
export function noteInstead(given: string, instead: string | null): void {
  if (instead !== null) notice(singleLine(`Nothing has "${given}"; results for "${instead}":`));
}

/** Asks before a recording is deleted; returns its name. */
export async function confirmDeletion(
  { title, owner }: Pick<Shown, 'title' | 'owner'>,
  options: Confirmable,
): Promise<string> {
  const name = `"${singleLine(title)}"${owner?.name ? ` of ${singleLine(owner.name)}` : ''}`;
  await confirm(`Delete ${name} with its transcript, summary and share links`, options);
  return name;
}

/** Snippets of a match as plain text. */
export const plainText = (html: string): string => singleLine(decodeHTML(html.replace(/<\/?mark>/g, '')));

const timeOf = ({ createdAt }: Shown): string =>
  typeof createdAt === 'string' ? singleLine(createdAt) : createdAt.toISOString();

const dayOf = (row: Shown): string => timeOf(row).slice(0, 16).replace('T', ' ');

const lengthOf = ({ duration }: Shown): string => (duration === null ? '-' : durationText(duration));

/** The moment, who said it, and what was said; or what was written. The title is in a column of its own. */
function passageOf(matches: readonly Match[]): string {
  const match = matches.find(({ source }) => source !== 'title');
  if (!match) return '';
  const { start, speaker, snippet } = match;
  const moment = start === null ? '' : `${clockTime(start)} `;
  return `${moment}${speaker ? `${singleLine(speaker)}: ` : ''}${plainText(snippet)}`;
}

interface Step {
  readonly status: ShownStatus | null;
  readonly statusReason: string | null;
}

/** How far a recording is, on the host or a server. */
export interface RecordingProgress {
  readonly status: RecordingStatus;
  readonly progress: number;
  readonly statusReason: string | null;
  /** `progress`: fraction of the audio, 0 to 1. */
  readonly transcription: Step & { readonly progress: number | null };
  readonly summary: Step;
}

/**
 * Waits until a recording is complete, and its transcription and summary have ended, if they are in progress. If one of
 * these two fails, or something is missing from the media, the reason is printed, but the recording is complete.
 * `pause`: waits until it is time to `read` again.
 */
export async function watchProgress(
  id: string,
  read: () => Promise<RecordingProgress>,
  pause: () => Promise<unknown>,
): Promise<RecordingProgress> {
  const before = await read();
  let seen = before;
  const bar = showProgress();
  try {
    for (let step = stepOf(seen); step; step = stepOf(seen)) {
      if (seen.status === 'ERROR') throw failed(`${id}: ${seen.statusReason}`);
      bar.show(...step);
      await pause();
      seen = await read();
    }
  } finally {
    bar.end();
  }
  const report = (what: string, reason: string | null, known: string | null): void => {
    if (reason !== null && reason !== known) process.stderr.write(`${id}: ${what}${singleLine(reason)}\n`);
  };
  report('', seen.statusReason, null);
  report('not transcribed: ', seen.transcription.statusReason, before.transcription.statusReason);
  report('not summarized: ', seen.summary.statusReason, before.summary.statusReason);
  return seen;
}

/** What is in progress, as a fraction and in words; null if nothing is. */
function stepOf({ status, progress, transcription, summary }: RecordingProgress): [number, string] | null {
  const transcribed = transcription.progress ?? 0;
  if (status !== 'COMPLETED') return [progress, `${status} ${percent(progress)}`];
  if (transcription.status === 'processing')
    return [transcribed, `${status}, transcribing ${percent(transcribed)}`];
  return summary.status === 'processing' ? [progress, `${status}, summary processing`] : null;
}

const percent = (fraction: number): string => `${Math.round(fraction * 100)}%`;
