import { escapeText } from 'entities';
import { isLanguageCode } from '../text.js';
import { JOINER, withJoiners, normalizeText, oneLine } from './transcript-text.js';
import { clock, cueTime } from './captions/captions-times.js';
import { labelOf, withLabel, withoutColons } from './speaker-labels.js';
import type { WrittenFormat } from './written-formats.js';
import type { TranscriptHead, TranscriptSegment } from './transcript.js';

/** Progress of a file, passed from one batch of segments to the next, also between threads. */
export interface WritingState {
  /** Segments written. */
  readonly count: number;
  /** Speaker of the last paragraph; null before the first. */
  speaker: string | null;
  /** Characters of the last paragraph. */
  length: number;
  /** Whether any segment of the transcript has a speaker. */
  readonly hasSpeakers: boolean;
}

/** A format of transcript files. */
interface TranscriptWriter {
  readonly opening: (head: TranscriptHead) => string;
  /** May change the speaker and length of `state`. */
  readonly batch: (segments: readonly TranscriptSegment[], state: WritingState) => string;
  readonly closing: (head: TranscriptHead, state: WritingState) => string;
}

/** WebVTT, with speakers in voice tags. */
const writeVtt: TranscriptWriter = {
  opening: ({ language }) => (isLanguageCode(language) ? `WEBVTT\nLanguage: ${language}\n` : 'WEBVTT\n'),
  batch: (segments) => segments.map(vttCue).join(''),
  closing: () => '',
};

/** WebVTT for players of HLS, which need to know where its times are on the timeline of the media (RFC 8216, 3.5). */
const writeCaptions: TranscriptWriter = {
  ...writeVtt,
  opening: (head) => writeVtt.opening(head).replace('\n', '\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n'),
};

function vttCue({ start, end, speaker, text }: TranscriptSegment): string {
  return `\n${cueTime(start, '.')} --> ${cueTime(end, '.')}\n${spoken(oneLine(speaker), normalizeText(text))}\n`;
}

/** A line of what was said that a reader of joined files would take for the header of the next one. */
const LIKE_A_HEADER = /^(?=\uFEFF?WEBVTT[ \t]*(?:-.*)?$)(\uFEFF?)W/gm;

function spoken(speaker: string, text: string): string {
  const said = escapeText(text).replace(LIKE_A_HEADER, '$1&#87;');
  if (speaker !== '') return `<v ${escapeText(speaker)}>${said.replace(/^\[(?=\d)/, entityOf)}</v>`;
  // Without a speaker, keeps a colon or bracket from being read as a label, and `>>` as the mark of another speaker.
  const unmarked = said.replace(/&gt;(?=&gt;)/g, '&#62;');
  const isMisread = labelOf(unmarked) !== null || /^[[(]/.test(unmarked);
  return isMisread ? unmarked.replace(/^[[(]|:(?=\s)|：/g, entityOf) : unmarked;
}

const entityOf = (character: string): string => `&#${character.codePointAt(0)};`;

/** SRT, with speakers as labels before the text. */
const writeSrt: TranscriptWriter = {
  opening: () => '',
  batch: (segments, { count, hasSpeakers }) =>
    segments.map((segment, index) => `${count + index + 1}\n${srtCue(segment, hasSpeakers)}\n\n`).join(''),
  closing: () => '',
};

function srtCue({ start, end, speaker, text }: TranscriptSegment, hasSpeakers: boolean): string {
  const name = withJoiners(plain(oneLine(speaker)));
  const said = withJoiners(plain(normalizeText(text)));
  return `${cueTime(start, ',')} --> ${cueTime(end, ',')}\n${withLabel(name, said, hasSpeakers, false)}`;
}

/** Without the characters that break up what would be misread. */
const plain = (text: string): string => text.replaceAll(JOINER, '');

/** The beginning of a paragraph as a text format writes it, up to its first segment. */
type ParagraphStyle = (start: number, speaker: string, text: string, hasSpeakers: boolean) => string;

/** Characters after which the next segment begins a new paragraph, with its time. */
const LONG = 1_000;

/** Writes segments as paragraphs: those of a speaker are joined, up to a length that keeps times easy to find. */
function paragraphs(
  opening: ParagraphStyle,
  escape: (text: string, speaker: string) => string,
): TranscriptWriter['batch'] {
  return (segments, state) => {
    let piece = '';
    for (const { speaker, start, text } of segments) {
      const [name, said] = [oneLine(speaker), oneLine(text)];
      if (name !== state.speaker || state.length >= LONG) {
        const gap = state.speaker === null ? '' : '\n\n';
        piece += gap + opening(start, name, said, state.hasSpeakers);
        state.length = 0;
      } else piece += ` ${escape(said, name)}`;
      state.length += said.length;
      state.speaker = name;
    }
    return piece;
  };
}

/** Plain text: `[00:12:34] Ada: Good morning`. */
const writeText: TranscriptWriter = {
  opening: () => '',
  batch: paragraphs(
    (start, speaker, text, hasSpeakers) =>
      `[${clock(start)}] ${withLabel(plain(speaker), plain(text), hasSpeakers, true)}`,
    (text, speaker) => (speaker === '' ? withoutColons(plain(text)) : plain(text)),
  ),
  closing: () => '\n',
};

/** Markdown: title, metadata and paragraphs. */
const writeMarkdown: TranscriptWriter = {
  opening: markdownHead,
  batch: paragraphs((start, speaker, text) => {
    const name = speaker === '' ? '' : `**${escaped(speaker)}** `;
    return `${name}\\[${clock(start)}\\] ${escaped(text)}`;
  }, escaped),
  closing: () => '\n',
};

function markdownHead({ title, speakers, duration, createdAt }: TranscriptHead): string {
  const facts = [
    ...(createdAt ? [createdAt.toISOString().slice(0, 10)] : []),
    clock(duration),
    ...(speakers.length > 0 ? [speakers.map((speaker) => escaped(oneLine(speaker))).join(', ')] : []),
  ];
  return `# ${escaped(oneLine(title))}\n\n${facts.join(' · ')}\n\n`;
}

/** Characters with a meaning within a line of Markdown, including GitHub's; text never begins a line. */
const SPECIAL = /[\\`*_{}[\]<>()#!|~&$^=@]|(?<=www)\.|:(?=\/\/)/gi;

function escaped(text: string): string {
  return text.replace(SPECIAL, '\\$&');
}

/** Of a segment, in this order. */
const MEMBERS = ['id', 'start', 'end', 'text', 'speaker', 'confidence', 'noise'];

/** JSON like a page of the transcript, but with all segments. */
const writeJson: TranscriptWriter = {
  opening: ({ language, confidenceKnown, speakers, duration, revision }) => {
    const status = { status: 'completed', statusReason: null };
    const head = { ...status, revision, language, confidenceKnown, speakers, duration };
    return `{"data":${JSON.stringify(head).slice(0, -1)},"segments":[`;
  },
  batch: (segments, { count }) => {
    const piece = segments.map((segment) => `\n${JSON.stringify(segment, MEMBERS)}`).join(',');
    return piece !== '' && count > 0 ? `,${piece}` : piece;
  },
  closing: ({ segmentsPerPage }, { count }) => {
    const pagination = { total_chunks: Math.ceil(count / segmentsPerPage), has_more: false };
    return `\n],"pagination":${JSON.stringify(pagination)}}}\n`;
  },
};

const WRITERS: Readonly<Record<WrittenFormat, TranscriptWriter>> = {
  captions: writeCaptions,
  vtt: writeVtt,
  srt: writeSrt,
  txt: writeText,
  md: writeMarkdown,
  json: writeJson,
};

export interface WrittenBatch {
  readonly text: string | Uint8Array;
  /** State for the next batch. */
  readonly state: WritingState;
}

/** The piece of the file for a batch of segments. */
export function writeBatch(
  format: WrittenFormat,
  segments: readonly TranscriptSegment[],
  state: WritingState,
): WrittenBatch {
  const next = { ...state };
  const text = WRITERS[format].batch(segments, next);
  return { text, state: { ...next, count: state.count + segments.length } };
}

/** A file in pieces: requests the next batch once the previous piece was consumed. `write` makes each piece. */
export async function* writeTranscript<Batch>(
  format: WrittenFormat,
  head: TranscriptHead,
  batches: AsyncIterable<Batch>,
  write: (batch: Batch, state: WritingState) => Promise<WrittenBatch> | WrittenBatch,
): AsyncGenerator<string | Uint8Array> {
  const { opening, closing } = WRITERS[format];
  yield opening(head);
  let state: WritingState = { count: 0, speaker: null, length: 0, hasSpeakers: head.speakers.length > 0 };
  for await (const batch of batches) {
    const written = await write(batch, state);
    yield written.text;
    state = written.state;
  }
  yield closing(head, state);
}
