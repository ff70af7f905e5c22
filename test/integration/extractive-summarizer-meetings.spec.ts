import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { summarizeExtractively } from '../../src/modules/summaries/extractive-summary.js';
import type { MadeSummary, SpokenSegment } from '../../src/modules/summaries/summarizer.js';
import { TranscriptFilesService } from '../../src/modules/transcripts/transcript-files.service.js';
import { LexemesService } from '../../src/platform/language/lexemes.service.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const MEETINGS = join('..', 'shared', 'data', 'meetings');
const QUOTE = /^(?:(.+) \((\d[\d:]*)\)|(\d[\d:]*)): "(.+)"$/su;

interface Quoted {
  readonly speaker: string | null;
  /** Seconds. */
  readonly start: number;
  readonly text: string;
}

interface Meeting {
  readonly segments: readonly SpokenSegment[];
  readonly summary: MadeSummary;
  /** What people found worth noting. */
  readonly highlights: readonly { readonly start: number; readonly text: string }[];
}

let database: TestDatabase;
let lexemes: LexemesService;
let dataSource: DataSource;
const meetings = new Map<string, Meeting>();

const names = existsSync(MEETINGS) ? readdirSync(MEETINGS) : [];
const seconds = (time: string) => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
const words = (text: string) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

function quoted(line: string): Quoted {
  const match = QUOTE.exec(line);
  if (!match) throw new Error(`no quote: ${line}`);
  return { speaker: match[1] ?? null, start: seconds(match[2] ?? match[3]!), text: match[4]! };
}

function quotesOf({ topics }: MadeSummary): Quoted[] {
  return topics.flatMap(({ keyPoints }) =>
    keyPoints.flatMap(({ point, start, details }) => [
      { speaker: null, start: start!, text: point },
      ...details.map(quoted),
    ]),
  );
}

/** Whether somebody said it from a segment on that starts in that second; others may have thrown in a word. */
function wasSaid({ speaker, start, text }: Quoted, segments: readonly SpokenSegment[]): boolean {
  return segments.some((first, index) => {
    if (Math.floor(first.start) !== Math.floor(start)) return false;
    if (speaker !== null && first.speaker !== speaker) return false;
    const own = segments.slice(index, index + 60).filter((segment) => segment.speaker === first.speaker);
    return words(own.map((segment) => segment.text).join(' ')).includes(words(text));
  });
}

function read(name: string): { segments: SpokenSegment[]; highlights: Meeting['highlights'] } {
  const bytes = readFileSync(join(MEETINGS, name, 'transcript.vtt'));
  const { segments } = new TranscriptFilesService().read(bytes, { contentType: 'text/vtt' });
  const notes: { highlights: Record<string, { timestamp: string; highlight: string }[]> } = JSON.parse(
    readFileSync(join(MEETINGS, name, 'tldr.json'), 'utf8'),
  );
  return {
    segments: segments.map(({ start, end, speaker, text }, id) => ({ id, start, end, speaker, text })),
    highlights: Object.values(notes.highlights)
      .flat()
      .map(({ timestamp, highlight }) => ({ start: seconds(timestamp), text: highlight })),
  };
}

(names.length > 0 ? describe : describe.skip)('summaries of real meetings, without a model', () => {
  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
    dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    lexemes = new LexemesService(dataSource);
    for (const name of names) {
      const { segments, highlights } = read(name);
      const summary = await summarizeExtractively(
        { title: name, language: 'en', speakers: [...new Set(segments.map((one) => one.speaker))], segments },
        (texts) => lexemes.of('en', texts),
        new AbortController().signal,
      );
      meetings.set(name, { segments, summary, highlights });
    }
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  describe.each(names)('%s', (name) => {
    it('quotes only what was said, by whom and when it was said', () => {
      const { segments, summary } = meetings.get(name)!;
      expect(quotesOf(summary).filter((quote) => !wasSaid(quote, segments))).toEqual([]);
    });

    it('quotes the same way in its text', () => {
      const { segments, summary } = meetings.get(name)!;
      const plain = summary.content.replace(/\\([^\w\s])/g, '$1');
      const speakers = [...new Set(segments.map(({ speaker }) => speaker))];
      const found = speakers.flatMap((speaker) =>
        plain
          .split(`${speaker} (`)
          .slice(1)
          .map((rest) => /^(\d[\d:]*)\): "([^"\n]+)"/.exec(rest)!)
          .map(([, start, text]) => ({ speaker, start: seconds(start!), text: text! })),
      );
      expect(found.length).toBeGreaterThan(5);
      expect(found.filter((quote) => !wasSaid(quote, segments))).toEqual([]);
    });

    it('has topics in order of time, each with a title and points in order of time', () => {
      const { topics } = meetings.get(name)!.summary;
      expect(topics.length).toBeGreaterThanOrEqual(3);
      expect(topics.length).toBeLessThanOrEqual(10);
      const starts = topics.map(({ start }) => start!);
      expect(starts).toEqual(starts.toSorted((one, other) => one - other));
      for (const { title, keyPoints } of topics) {
        expect(title).toMatch(/^[\p{Lu}\p{N}].{1,120}$/u);
        const times = keyPoints.map(({ start }) => start!);
        expect(times.length).toBeGreaterThan(0);
        expect(times).toEqual(times.toSorted((one, other) => one - other));
      }
    });

    it('is short enough to be read', () => {
      const { segments, summary } = meetings.get(name)!;
      expect(summary.content.length).toBeLessThan(8_000);
      const said = segments.reduce((sum, { text }) => sum + text.length, 0);
      const kept = quotesOf(summary).reduce((sum, { text }) => sum + text.length, 0);
      expect(kept / said).toBeLessThan(0.45);
      expect(
        summary.topics.flatMap(({ keyPoints }) => keyPoints).filter(({ details }) => details.length > 3),
      ).toEqual([]);
    });

    it('speaks of most of what people noted, within a minute of it', () => {
      const { summary, highlights } = meetings.get(name)!;
      const quotes = quotesOf(summary);
      const near = highlights.filter(({ start }) => quotes.some((one) => Math.abs(one.start - start) <= 60));
      expect(near.length / highlights.length).toBeGreaterThan(0.65);
    });
  });

  it('speaks of what people noted in their words, more often than sentences taken at random would (0.27)', async () => {
    let [sum, count] = [0, 0];
    for (const { summary, highlights } of meetings.values()) {
      const quotes = quotesOf(summary);
      const ofQuotes = await lexemes.of(
        'en',
        quotes.map(({ text }) => text),
      );
      const ofHighlights = await lexemes.of(
        'en',
        highlights.map(({ text }) => text),
      );
      highlights.forEach(({ start }, index) => {
        const near = new Set(
          quotes.flatMap((one, at) => (Math.abs(one.start - start) <= 90 ? ofQuotes[at]! : [])),
        );
        const wanted = ofHighlights[index]!;
        sum += wanted.filter((lexeme) => near.has(lexeme)).length / wanted.length;
        count += 1;
      });
    }
    expect(count).toBe(171);
    expect(sum / count).toBeGreaterThan(0.31);
  });

  it('opens with the meeting, not with what was said before it', () => {
    const first = meetings.get('acdc-2026-02-05_174')!.summary.topics[0]!;
    // "Hey everyone, welcome to ACDC number 174."
    expect(first.start).toBeGreaterThanOrEqual(965);
    expect(JSON.stringify(meetings.get('acdc-2026-02-05_174')!.summary)).not.toContain('start streaming');
  });

  it('finds what was decided and what is next', () => {
    const decisions = (name: string) =>
      meetings.get(name)!.summary.content.split('## Decisions and next steps')[1];
    expect(decisions('fcr-2026-03-03_004')).toContain('We decided not to do this');
    expect(decisions('acdc-2026-02-05_174')).toContain('make the call for the Hagota headliner on next ACDC');
    expect(decisions('acde-2026-03-26_233')).toContain('the decision today is to not select');
    expect(decisions('acdt-2026-02-09_069')).toContain('consensus is to lower the gas limit for now');
  });
});
