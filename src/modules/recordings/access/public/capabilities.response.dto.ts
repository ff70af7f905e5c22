import { BooleanProperty } from '../../../../platform/openapi/field.decorator.js';
import type { Capabilities, Capability } from '../../../../policy/capabilities.js';

export class RecordingListItemCapabilities {
  @BooleanProperty('There is media, and it can be downloaded', { example: true })
  canDownload: boolean;

  @BooleanProperty('Share links can be created', { example: true })
  canShare: boolean;

  @BooleanProperty('The transcript can be read', { example: true })
  canViewTranscription: boolean;

  @BooleanProperty('A summary can be generated', { example: false })
  canGenerateSummary: boolean;

  @BooleanProperty('Questions about the meeting can be asked', { example: true })
  canAskQuestions: boolean;
}

export class RecordingCapabilities
  extends RecordingListItemCapabilities
  implements Record<Capability, boolean>
{
  @BooleanProperty('The recording can be transcribed for the first time', { example: false })
  canStartTranscription: boolean;

  @BooleanProperty('The recording can be transcribed again', { example: true })
  canRegenerateTranscription: boolean;

  @BooleanProperty('Speakers can be renamed', { example: true })
  canRenameSpeaker: boolean;

  @BooleanProperty('The summary can be read', { example: true })
  canViewSummary: boolean;
}

export function presentListedCapabilities(capabilities: Capabilities): RecordingListItemCapabilities {
  const { canDownload, canShare, canViewTranscription, canGenerateSummary, canAskQuestions } = capabilities;
  return { canDownload, canShare, canViewTranscription, canGenerateSummary, canAskQuestions };
}

export function presentDetailCapabilities(capabilities: Capabilities): RecordingCapabilities {
  // Spread rather than copied by name, as this runs for every recording read; the type has exactly these fields.
  return { ...capabilities };
}
