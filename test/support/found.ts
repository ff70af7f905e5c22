import { expect } from '@jest/globals';
import { keyOf } from '../factories/workspace.js';
import type { TestService } from './service.js';

export interface Found {
  readonly id: string;
  readonly title: string;
  readonly matched: string;
  readonly score: number;
  readonly matches: readonly {
    readonly source: string;
    readonly segmentId: number | null;
    readonly speaker: string | null;
    readonly snippet: string;
  }[];
}

export interface FoundPage {
  readonly data: readonly Found[];
  readonly pagination: {
    readonly total: number;
    readonly has_more: boolean;
  };
  readonly did_you_mean: string | null;
}

/** The reply to a search of the user `name`. */
export async function searchAs(
  service: TestService,
  name: string,
  q: string,
  more: Readonly<Record<string, string>> = {},
): Promise<FoundPage> {
  const query = new URLSearchParams({ q, ...more }).toString();
  const { status, body } = await service.api.as(keyOf(name)).get(`/recordings/search?${query}`);
  expect([q, status]).toEqual([q, 200]);
  return body;
}

/** A transcript in which each `[speaker, text]` is a segment. */
export const saying = (
  language: string | null,
  ...said: readonly (readonly [speaker: string, text: string])[]
) => ({
  language,
  segments: said.map(([speaker, text], index) => ({
    start: index * 10,
    end: index * 10 + 9.5,
    speaker,
    text,
  })),
});
