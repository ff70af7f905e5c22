import { BooleanProperty } from '../../../platform/openapi/field.decorator.js';
import type { Capabilities, Capability } from '../../../policy/recording-access.js';

export class ListedCapabilities {
  @BooleanProperty({ description: 'The video can be downloaded', example: true })
  canDownload: boolean;

  @BooleanProperty({ description: 'Share links can be created', example: true })
  canShare: boolean;

  @BooleanProperty({ description: 'The transcript can be read', example: true })
  canViewTranscription: boolean;

  @BooleanProperty({ description: 'A summary can be generated', example: false })
  canGenerateSummary: boolean;

  @BooleanProperty({ description: 'Questions about the meeting can be asked', example: true })
  canAskQuestions: boolean;
}

export class DetailCapabilities extends ListedCapabilities implements Record<Capability, boolean> {
  @BooleanProperty({ description: 'A transcription can be started', example: false })
  canStartTranscription: boolean;

  @BooleanProperty({ description: 'The transcription can be made anew', example: true })
  canRegenerateTranscription: boolean;

  @BooleanProperty({ description: 'Speakers can be renamed', example: true })
  canRenameSpeaker: boolean;

  @BooleanProperty({ description: 'The summary can be read', example: true })
  canViewSummary: boolean;
}

export function presentListedCapabilities(capabilities: Capabilities): ListedCapabilities {
  const { canDownload, canShare, canViewTranscription, canGenerateSummary, canAskQuestions } = capabilities;
  return { canDownload, canShare, canViewTranscription, canGenerateSummary, canAskQuestions };
}

export function presentDetailCapabilities(capabilities: Capabilities): DetailCapabilities {
  // All there are, which the types hold: no copy by name, as this is asked at every get.
  return { ...capabilities };
}
