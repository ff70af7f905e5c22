import { Injectable } from '@nestjs/common';
import type { NewTranscript } from './transcripts.service.js';

type Cue = NewTranscript['segments'][number];

/** A caption file that cannot be read; `line` counts from 1. */
export class CaptionError extends Error {
  constructor(
    readonly line: number,
    reason: string,
  ) {
    super(`line ${line}: ${reason}`);
  }
}

/** `00:01:02.500`, `01:02.500`, and the comma of SRT. */
const TIME = /^(?:(\d+):)?([0-5]?\d):([0-5]?\d)[.,](\d{1,3})$/;
const VOICE = /^<v(?:\.[^\s>]+)*\s+([^>]+)>/;
/** How Zoom and others write speakers: a short name, a colon, the text. */
const NAMED = /^([\p{L}\p{N}][^:<>\n]{0,60}):\s+(?=\S)/u;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': '\u00a0',
  '&lrm;': '\u200e',
  '&rlm;': '\u200f',
};

/** Reads caption files, WebVTT and SRT, into segments with speakers and times. */
@Injectable()
export class CaptionsService {
  read(text: string): Cue[] {
    const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
    const isVtt = /^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? '');
    const cues = blocks(lines, isVtt ? 1 : 0).flatMap((block) => readBlock(block, isVtt));
    if (!isVtt && cues.length === 0) throw new CaptionError(1, 'neither WebVTT (starts with WEBVTT) nor SRT');
    return cues;
  }
}

interface Block {
  /** Line number of the first line, from 1. */
  readonly line: number;
  readonly lines: readonly string[];
}

/** Runs of lines between blank ones. */
function blocks(lines: readonly string[], from: number): Block[] {
  const found: { line: number; lines: string[] }[] = [];
  let open: { line: number; lines: string[] } | null = null;
  lines.forEach((text, index) => {
    if (index < from) return;
    if (text.trim() === '') open = null;
    else if (open) open.lines.push(text);
    else found.push((open = { line: index + 1, lines: [text] }));
  });
  return found;
}

function readBlock(block: Block, isVtt: boolean): Cue[] {
  // Comments, styles and regions of WebVTT.
  if (isVtt && /^(NOTE|STYLE|REGION)\b/.test(block.lines[0] ?? '')) return [];
  const timing = block.lines.slice(0, 2).findIndex((line) => line.includes('-->'));
  if (timing < 0) {
    // What follows the header line of WebVTT belongs to it.
    if (isVtt && block.line === 2) return [];
    throw new CaptionError(block.line, 'a time line such as 00:00:01.000 --> 00:00:02.500 is missing');
  }
  const line = block.line + timing;
  const [from, to] = (block.lines[timing] ?? '').split('-->');
  const start = seconds(from?.trim() ?? '', line);
  const end = seconds(to?.trim().split(/\s/)[0] ?? '', line);
  if (end < start) throw new CaptionError(line, 'ends before it starts');
  const { speaker, text } = speech(block.lines.slice(timing + 1).join('\n'));
  return text === '' ? [] : [{ start, end, speaker, text, confidence: 1 }];
}

function seconds(text: string, line: number): number {
  const match = TIME.exec(text);
  if (!match) throw new CaptionError(line, `"${text.slice(0, 40)}" is no time`);
  const [, hours = '0', minutes, second, fraction = ''] = match;
  const milliseconds = Number(fraction.padEnd(3, '0'));
  return (Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(second) * 1000 + milliseconds) / 1000;
}

function speech(raw: string): { speaker: string; text: string } {
  const voice = VOICE.exec(raw)?.[1]?.trim();
  const text = plain(raw.replace(VOICE, ''));
  if (voice) return { speaker: plain(voice), text };
  const named = NAMED.exec(text);
  return named ? { speaker: named[1]!.trim(), text: text.slice(named[0].length) } : { speaker: '', text };
}

/** Without tags and entities. */
function plain(text: string): string {
  return text
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt|nbsp|lrm|rlm);/g, (entity) => ENTITIES[entity] ?? entity)
    .trim();
}
