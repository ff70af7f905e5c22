import type { TranscriptSegment } from './entities/transcript-chunk.entity.js';
import { writeJson } from './json-writer.js';
import { writeMarkdown } from './md-writer.js';
import { writeSrt } from './srt-writer.js';
import type { TranscriptFormat } from './transcript-formats.js';
import type { TranscriptHead } from './transcript-files.js';
import { writeText } from './txt-writer.js';
import { writeVtt } from './vtt-writer.js';

type Writer = (
  head: TranscriptHead,
  segments: AsyncIterable<readonly TranscriptSegment[]>,
) => AsyncGenerator<string>;

const WRITERS: Readonly<Record<TranscriptFormat, Writer>> = {
  vtt: writeVtt,
  srt: writeSrt,
  txt: writeText,
  md: writeMarkdown,
  json: writeJson,
};

/** A transcript as a file, a piece for each batch of segments: takes no batch before the piece of the one before is taken. */
export function writeTranscript(
  format: TranscriptFormat,
  head: TranscriptHead,
  segments: AsyncIterable<readonly TranscriptSegment[]>,
): AsyncGenerator<string> {
  return WRITERS[format](head, segments);
}
