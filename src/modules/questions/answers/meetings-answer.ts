import type { GivenSegment } from '../passages/answer-context.js';
import type { MeetingFacts } from './chat-answer-prompt.js';
import type { MeetingsQuestionAnswer, PlainAnswer } from '../public/answer.response.dto.js';
import type { SpokenSegment } from '../../../lib/transcript-formats/transcript.js';

const TITLES_NAMED = 200;

/**
 * Segments of several meetings as those of one, for the chat server: numbered throughout, with the meeting beside the
 * speaker.
 */
export function amongMeetings(given: readonly GivenSegment[]): {
  readonly segments: readonly SpokenSegment[];
  readonly facts: MeetingFacts;
} {
  const titles = [...new Set(given.map(({ title }) => title))];
  const numbers = numbersOf(given);
  return {
    segments: given.map(({ title, speaker, start, end, text }, place) => ({
      start,
      end,
      text,
      id: numbers[place] ?? 0,
      speaker: `${speaker || 'Unknown speaker'} in "${title}"`,
    })),
    facts: {
      title: `several meetings: ${titles.join('; ').slice(0, TITLES_NAMED)}`,
      language: null,
      speakers: [],
    },
  };
}

/** The answer of the chat server with the segments it cites as they are in their meetings. */
export function meetingsAnswer(
  answer: PlainAnswer,
  given: readonly GivenSegment[],
): Omit<MeetingsQuestionAnswer, 'notice'> {
  const byNumber = new Map(numbersOf(given).map((number, place) => [number, given[place]]));
  return {
    ...answer,
    citations: answer.citations.flatMap(({ id: number, quote }) => {
      const segment = byNumber.get(number);
      if (!segment) return [];
      const { recordingId, title, id, start, end, speaker } = segment;
      return [{ recordingId, title, id, start, end, speaker, quote }];
    }),
  };
}

/** Numbers for segments of several meetings, with gaps where there are gaps, so that the prompt shows them. */
function numbersOf(given: readonly GivenSegment[]): number[] {
  let number = -1;
  return given.map(({ recordingId, id }, place) => {
    const before = given[place - 1];
    number += before?.recordingId === recordingId && before.id + 1 === id ? 1 : 2;
    return number;
  });
}
