import { describe, expect, it } from '@jest/globals';
import fc, { runs } from '../../support/properties.js';
import { TranscriptFileError } from '../../../src/lib/transcript-formats/transcript-file.error.js';
import { readTranscriptFile } from '../../../src/lib/transcript-formats/transcript-formats.js';
import { docxOf, paragraph } from '../../support/docx.js';
import {
  ASSEMBLYAI,
  AWS_TRANSCRIBE,
  DEEPGRAM,
  FIREFLIES,
  GOOGLE_MEET,
  OTTER,
  TEAMS_NEWER,
  TEAMS_OLDER,
  WHISPER_CPP,
  WHISPERX,
} from '../../support/foreign-transcripts.js';
import * as captions from '../../support/meeting-captions.js';
import * as services from '../../support/speech-services.js';

/** Reads a damaged file in both modes: it gives valid segments, or an error with a short message. */
async function survives(bytes: Buffer): Promise<void> {
  for (const lenient of [false, true]) {
    try {
      const { segments } = await readTranscriptFile(bytes, { lenient });
      for (const { start, end, text, speaker, confidence } of segments) {
        expect(start >= 0 && end >= start && end < 1_000_000).toBe(true);
        expect(confidence >= 0 && confidence <= 1).toBe(true);
        expect([typeof text, typeof speaker]).toEqual(['string', 'string']);
      }
    } catch (error) {
      expect(error).toBeInstanceOf(TranscriptFileError);
      expect((error as Error).message.length).toBeLessThan(600);
    }
  }
}

/** The same value with one of its parts replaced, chosen by `at`. */
function damaged(value: unknown, at: number, put: unknown): unknown {
  let left = at;
  const walk = (part: unknown): unknown => {
    left -= 1;
    if (left === -1) return put;
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, walk(member)]));
  };
  return walk(value);
}

const VALUES = fc.oneof(
  fc.constantFrom(
    null,
    -1,
    1e300,
    1e9,
    '',
    'x',
    '1',
    '-1',
    '1e9',
    true,
    [],
    {},
    [null],
    [[]],
    '\ud800',
    'a\0b',
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

describe('a damaged file of another service', () => {
  it.each(Object.entries({ ASSEMBLYAI, AWS_TRANSCRIBE, DEEPGRAM, WHISPER_CPP, WHISPERX, ...services }))(
    'is read or refused: %s',
    async (_, sample) => {
      const property = fc.asyncProperty(
        fc.nat(120),
        VALUES,
        fc.nat(120),
        VALUES,
        async (at, put, then, and) => {
          const value = damaged(damaged(sample, at, put), then, and);
          await survives(Buffer.from(JSON.stringify(value) ?? ''));
        },
      );
      await fc.assert(property, { numRuns: runs(15) });
    },
  );

  it('is read or refused: text and Word documents', async () => {
    const texts = [
      FIREFLIES,
      GOOGLE_MEET,
      OTTER,
      ...Object.values(captions),
      TEAMS_NEWER.flat().join('\n'),
      TEAMS_OLDER.flat().join('\n'),
    ];
    const pieces = fc.constantFrom(
      '',
      '\n',
      '\r',
      ' ',
      '  ',
      '0:0',
      '99:99:99',
      '999:59',
      '-->',
      '\t',
      '"',
      '\nWEBVTT\n',
      'MPEGTS:8589934591,',
      '>>',
      ':',
      '-',
      '[',
      '\0',
    );
    const property = fc.asyncProperty(
      fc.constantFrom(...texts),
      fc.array(fc.tuple(fc.nat(300), fc.nat(20), pieces), { maxLength: 4 }),
      async (text, edits) => {
        const edited = edits.reduce(
          (now, [at, cut, put]) => now.slice(0, at) + put + now.slice(at + cut),
          text,
        );
        await survives(Buffer.from(edited));
        await survives(
          docxOf(
            edited
              .split('\n')
              .map((line) => paragraph(line))
              .join(''),
          ),
        );
      },
    );
    await fc.assert(property, { numRuns: runs(40) });
  });

  it('is read or refused: damaged archives', async () => {
    const whole = docxOf(TEAMS_OLDER.map((lines) => paragraph(...lines)).join(''));
    const property = fc.asyncProperty(
      fc.nat(whole.length - 1),
      fc.nat(255),
      fc.boolean(),
      async (at, byte, cuts) => {
        const bytes = Buffer.from(cuts ? whole.subarray(0, at) : whole);
        if (!cuts) bytes[at] = byte;
        await survives(bytes);
      },
    );
    await fc.assert(property, { numRuns: runs(50) });
  });
});
