import { PickType } from '@nestjs/swagger';
import { BooleanProperty } from '../../../platform/openapi/field.decorator.js';
import {
  RECIPIENT_CAPABILITIES,
  reasonForRecipients,
  type RecipientCapability,
} from '../../../policy/share-links.js';
import { RecordingCapabilityReasons } from '../../recordings/access/public/capability-reasons.response.dto.js';
import type { OpenShare } from '../access/public/open-share.js';

export class ShareCapabilities implements Record<RecipientCapability, boolean> {
  @BooleanProperty('There is media, and it can be downloaded', { example: false })
  canDownload: boolean;

  @BooleanProperty('The transcript can be read', { example: true })
  canViewTranscription: boolean;

  @BooleanProperty('The summary can be read', { example: true })
  canViewSummary: boolean;
}

export class ShareCapabilityReasons extends PickType(RecordingCapabilityReasons, RECIPIENT_CAPABILITIES) {}

export function presentShareCapabilities({ link, recording }: OpenShare): {
  readonly capabilities: ShareCapabilities;
  readonly capabilityReasons: ShareCapabilityReasons;
} {
  const capabilities: ShareCapabilities = {
    canDownload: true,
    canViewTranscription: true,
    canViewSummary: true,
  };
  const capabilityReasons: ShareCapabilityReasons = {};
  for (const capability of RECIPIENT_CAPABILITIES) {
    const reason = reasonForRecipients(capability, link.permission, recording.access);
    capabilities[capability] = reason === null;
    if (reason) capabilityReasons[capability] = reason;
  }
  return { capabilities, capabilityReasons };
}
