import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import { counted } from '../../platform/text.js';
import { Summary } from '../summaries/entities/summary.entity.js';
import {
  TranscriptComparisonService,
  type ComparedTranscript,
} from '../transcripts/transcript-comparison.service.js';
import type { FieldDifference } from './differences.js';
import type { ResolvedRecording } from './recording-import.service.js';
import type { ReadRecording } from './workspace-reader.service.js';

/** Texts of the file that an update writes. */
export interface TextChange {
  readonly transcript?: NonNullable<ReadRecording['transcriptContent']>;
  readonly summary?: NonNullable<ReadRecording['summaryContent']>;
}

const IN_PROGRESS = 'it is being generated';
const EARLIER_KEPT = 'the earlier one can be restored';
const BY_PEOPLE =
  'it was written or corrected by a user; send it with PUT /recordings/:id/transcript to replace it';
const NOT_OURS =
  'it was not written by an import or has been changed since, and the current version would be lost; send it with PUT /recordings/:id/summary to replace it';

/**
 * Compares transcripts and summaries. An update replaces what an import or a transcription wrote, never what people did:
 * a transcript has revisions that tell, and a summary, of which nothing earlier is kept, the revision of the last import.
 */
@Injectable()
export class TextDifferencesService {
  constructor(private readonly transcripts: TranscriptComparisonService) {}

  /** By recording; in two statements, and one more for each transcript that seems to differ. */
  async find(
    manager: EntityManager,
    recordings: readonly ResolvedRecording[],
  ): Promise<Map<string, FieldDifference<TextChange>[]>> {
    const given = recordings.flatMap(({ id, input }) =>
      input.transcriptContent ? [[id, input.transcriptContent] as const] : [],
    );
    const transcripts = await this.transcripts.compare(manager, new Map(given));
    const summaries = await summariesOf(manager, recordings);
    return new Map(
      recordings.map(({ id, input }) => [
        id,
        [...ofTranscript(input, transcripts.get(id)), ...ofSummary(input, summaries.get(id))],
      ]),
    );
  }
}

async function summariesOf(
  manager: EntityManager,
  recordings: readonly ResolvedRecording[],
): Promise<Map<string, Summary>> {
  const given = recordings.filter(({ input }) => input.summaryContent !== null);
  if (given.length === 0) return new Map();
  const found = await manager.findBy(Summary, { recordingId: In(given.map(({ id }) => id)) });
  return new Map(found.map((summary) => [summary.recordingId, summary]));
}

function ofTranscript(
  { transcriptContent: transcript, transcriptLanguage: language }: ReadRecording,
  found: ComparedTranscript | undefined,
): FieldDifference<TextChange>[] {
  if (!transcript) return [];
  const count = found?.segmentsCount ?? 0;
  const isOther = language !== null && count > 0 && language !== found?.language;
  if (found?.same && !isOther) return [];
  const inProgress = found?.status === 'processing';
  const writable = !inProgress && !found?.byPeople;
  const keeps = count > 0 ? EARLIER_KEPT : null;
  // The language only where it is what differs.
  const shown = (segments: number, code: string | null): string =>
    `${counted(segments, 'segment')}${isOther ? ` in ${code ?? 'an unknown language'}` : ''}`;
  return [
    {
      field: 'transcript',
      database: count === 0 ? 'none' : shown(count, found?.language ?? null),
      file: `${found && !found.same && count > 0 ? 'another with ' : ''}${shown(transcript.segments.length, language)}`,
      change: writable ? { transcript } : null,
      note: writable ? keeps : inProgress ? IN_PROGRESS : BY_PEOPLE,
    },
  ];
}

function ofSummary(
  { summaryContent: summary }: ReadRecording,
  found: Summary | undefined,
): FieldDifference<TextChange>[] {
  if (!summary) return [];
  const exists = found !== undefined && (Boolean(found.content) || found.topics.length > 0);
  const stored = exists && { content: found.content, topics: found.topics };
  if (stored && isDeepStrictEqual(withoutMissing(stored), withoutMissing(summary))) return [];
  const inProgress = found?.status === 'processing';
  const writable = !inProgress && (!exists || found.workspaceRevision === found.revision);
  return [
    {
      field: 'summary',
      database: exists ? 'one' : 'none',
      file: exists ? 'another' : 'one',
      change: writable ? { summary } : null,
      note: writable ? null : inProgress ? IN_PROGRESS : NOT_OURS,
    },
  ];
}

/** As it is after having been stored. */
const withoutMissing = (value: object): unknown => JSON.parse(JSON.stringify(value));
