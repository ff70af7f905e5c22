import { Flag } from '../../../platform/openapi/field.decorator.js';
import type { Capabilities, Capability } from '../../../policy/recording-access.js';

export class ListedCapabilities {
  @Flag({ description: 'The video can be downloaded', example: true })
  canDownload: boolean;

  @Flag({ description: 'Share links can be created', example: true })
  canShare: boolean;

  @Flag({ description: 'The transcript can be read', example: true })
  canViewTranscription: boolean;

  @Flag({ description: 'A summary can be generated', example: false })
  canGenerateSummary: boolean;

  @Flag({ description: 'Questions about the meeting can be asked', example: true })
  canAskQuestions: boolean;
}

export class DetailCapabilities extends ListedCapabilities implements Record<Capability, boolean> {
  @Flag({ description: 'A transcription can be started', example: false })
  canStartTranscription: boolean;

  @Flag({ description: 'The transcription can be made anew', example: true })
  canRegenerateTranscription: boolean;

  @Flag({ description: 'Speakers can be renamed', example: true })
  canRenameSpeaker: boolean;

  @Flag({ description: 'The summary can be read', example: true })
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
