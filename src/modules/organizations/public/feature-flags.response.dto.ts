import { BooleanProperty } from '../../../platform/openapi/field.decorator.js';
import type { MemberFlags } from '../../../policy/management.js';
import { present } from '../../../contract/present.js';

/** The five feature flags of an organization. */
export class OrganizationFeatures {
  @BooleanProperty('Downloading the video', { example: true })
  downloads: boolean;

  @BooleanProperty('Creating share links', { example: true })
  sharing: boolean;

  @BooleanProperty('Transcribing, and reading transcripts', { example: true })
  transcription: boolean;

  @BooleanProperty('Generating and reading summaries', { example: true })
  summaries: boolean;

  @BooleanProperty('Asking questions', { example: true })
  questions: boolean;
}

/** The seven feature flags of a member. */
export class MemberFeatures extends OrganizationFeatures {
  @BooleanProperty('Seeing all recordings of the organization; `OWNER` and `ADMIN` always do', {
    example: false,
  })
  view_all_recordings: boolean;

  @BooleanProperty('Seeing the recordings in folders that are open to the member', { example: true })
  view_folder_recordings: boolean;
}

export const presentFlags = (flags: MemberFlags): MemberFeatures => present(MemberFeatures, flags);
