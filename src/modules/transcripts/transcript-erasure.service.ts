import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ErasedWords } from './public/erased-words.js';
import { TranscriptChunk } from './entities/transcript-chunk.entity.js';
import { Transcript } from './entities/transcript.entity.js';
import { forgetRevisions } from './transcript-revisions.queries.js';
import { TranscriptsService } from './transcripts.service.js';

const ERASED = { speaker: 'Erased person', text: '[erased]' } as const;

/** When somebody spoke: seconds from the beginning of the recording. */
interface Passage {
  readonly start: number;
  readonly end: number;
}

/** Removes what a person has said. */
@Injectable()
export class TranscriptErasureService {
  constructor(private readonly transcripts: TranscriptsService) {}

  /**
   * Removes the words of speakers, whose labels are given in lower case, in the transaction of `manager`, which must hold
   * the lock on the recording. Earlier revisions go as a whole: there, the words may have another speaker. Returns when
   * they spoke. Throws while a transcription is in progress, which is worth a retry.
   */
  async erase(
    manager: EntityManager,
    recordingId: string,
    labels: readonly string[],
    words: ErasedWords,
  ): Promise<readonly Passage[]> {
    const transcript = await manager.getRepository(Transcript).findOneBy({ recordingId });
    if (!transcript) return [];
    if (transcript.attemptId !== null) throw new Error('The recording is being transcribed');
    const chunks = await manager
      .getRepository(TranscriptChunk)
      .find({ where: { recordingId }, order: { chunkIndex: 'ASC' } });
    const erased: Passage[] = [];
    const segments = chunks.flatMap((chunk) =>
      chunk.segments.flatMap((segment) => {
        if (!labels.includes(segment.speaker.toLowerCase())) return [segment];
        erased.push({ start: segment.start, end: segment.end });
        return words === 'remove' ? [] : [{ ...segment, ...ERASED }];
      }),
    );
    const { language, confidenceKnown } = transcript;
    const left = { language, confidenceKnown, segments };
    if (erased.length > 0)
      await this.transcripts.write(manager, recordingId, left, { cause: 'correction', userId: null });
    await forgetRevisions(manager, recordingId);
    return erased;
  }
}
