import { z } from '../../../lib/zod.js';
import { LIMITS } from '../../../contract/limits.js';
import { twoLetterCode } from '../../../lib/language/language-codes.js';
import { oneLine } from '../../../lib/text.js';
import { RefusedError } from '../public/steps.js';
import type { Segment } from '../../../lib/transcript-formats/transcript.js';
import type { Span } from '../../../lib/speech/passages.js';

/** Nobody speaks faster, so longer text is made up. */
const CHARACTERS = { atLeast: 1_000, aSecond: 100 } as const;
/** Whisper processes windows of half a minute, and sometimes hears words in the silence it pads the last one with. */
const BEHIND_END_SECONDS = 30;
/** Whisper's own thresholds for discarding a segment as silence. */
const NO_SPEECH = { probability: 0.6, logProbability: -1 } as const;

const SEGMENT = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  speaker: z.union([z.string(), z.number()]).nullish(),
  avg_logprob: z.number().nullish(),
  no_speech_prob: z.number().nullish(),
});

const REPLY = z.object({
  language: z.string().nullish(),
  text: z.string().nullish(),
  segments: z.array(SEGMENT).nullish(),
});

type GivenSegment = z.infer<typeof SEGMENT>;

/** The transcript of one part. */
export interface Heard {
  readonly language: string | null;
  readonly segments: readonly Segment[];
  /** Whether the server sent any confidence. */
  readonly confidenceKnown: boolean;
}

/** Reads the reply for one part of a recording. Throws `RefusedError` if it is not valid, or implausible. */
export function readReply(reply: unknown, part: Span): Heard {
  if (typeof reply !== 'object')
    throw refused('does not reply with JSON; is the URL that of its OpenAI interface?');
  const checked = REPLY.safeParse(reply);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const where = issue?.path.slice(0, 4).join('.') || 'reply';
    throw refused(`does not follow the OpenAI interface (${where}: ${issue?.message ?? 'invalid'})`);
  }
  const { language, text, segments } = checked.data;
  const length = part.end - part.start;
  const given = segments ?? [];
  if (given.length === 0 && text?.trim())
    throw refused('returns no timestamps; use a model that does, such as one of the Whisper family');
  const characters = given.reduce((sum, segment) => sum + segment.text.length, 0);
  if (characters > CHARACTERS.atLeast + CHARACTERS.aSecond * length)
    throw refused('returns more text than can be spoken in the time');
  if (given.some(({ start, end }) => Math.max(start, end) > length + BEHIND_END_SECONDS))
    throw refused('returns times after the end of the audio');
  return {
    language: language ? twoLetterCode(language) : null,
    confidenceKnown: given.some((segment) => typeof segment.avg_logprob === 'number'),
    segments: withoutRepeats(
      given
        .filter((segment) => isSpeech(segment) && segment.start < length)
        .map((segment) => placed(segment, part))
        .filter(({ text: said }) => said !== '')
        .sort((one, other) => one.start - other.start || one.end - other.end),
    ),
  };
}

const isSpeech = ({ no_speech_prob: noSpeech, avg_logprob: logProbability }: GivenSegment): boolean =>
  !((noSpeech ?? 0) > NO_SPEECH.probability && (logProbability ?? 0) < NO_SPEECH.logProbability);

function placed(given: GivenSegment, part: Span): Segment {
  const time = (seconds: number) =>
    Math.round(Math.min(part.end, Math.max(part.start, part.start + seconds)) * 1000) / 1000;
  const start = time(given.start);
  return {
    start,
    end: Math.max(start, time(given.end)),
    text: oneLine(given.text, LIMITS.segmentText.max),
    speaker: oneLine(String(given.speaker ?? ''), LIMITS.speaker.max),
    confidence: Math.round(Math.min(1, Math.exp(given.avg_logprob ?? 0)) * 1000) / 1000,
  };
}

/** Some servers return a segment twice. */
const withoutRepeats = (segments: readonly Segment[]): Segment[] =>
  segments.filter((segment, index) => {
    const before = segments[index - 1];
    return before?.start !== segment.start || before.end !== segment.end || before.text !== segment.text;
  });

export const refused = (what: string): RefusedError => new RefusedError(`The transcription server ${what}.`);
