import { IntegerProperty, StringListProperty } from '../../../platform/openapi/field.decorator.js';
import { presentSegment, Segment } from '../public/transcript-page.response.dto.js';
import type { TranscriptSegment } from '../../../lib/transcript-formats/transcript.js';

export class RenamedSpeakers {
  @IntegerProperty('Revision of the transcript after the change', { example: 2 })
  revision: number;

  @StringListProperty('Speaker labels after the change', { example: ['Ada', 'Grace'] })
  speakers: string[];
}

export class CorrectedSegment extends Segment {
  @IntegerProperty('Revision of the transcript after the change', { example: 2 })
  revision: number;
}

export function presentRenamedSpeakers({ revision, speakers }: RenamedSpeakers): RenamedSpeakers {
  return { revision, speakers };
}

export function presentCorrectedSegment({
  segment,
  revision,
}: {
  readonly segment: TranscriptSegment;
  readonly revision: number;
}): CorrectedSegment {
  return { ...presentSegment(segment), revision };
}
