import { EnumProperty, NestedProperty } from '../../../../platform/openapi/field.decorator.js';
import {
  CAPABILITIES,
  CAPABILITY_REASON_CODES,
  type Capability,
  type CapabilityReason as Reason,
  type CapabilityReasonCode,
  type CapabilityReasons,
} from '../../../../policy/capabilities.js';
import { PLANS, type Plan } from '../../../../policy/plans.js';
import type { RecordingListItemCapabilities } from './capabilities.response.dto.js';

/** What `capabilityReasons` is, for the description of the field. */
export const REASONS_FIELD =
  'Why capabilities are false: one entry for each that is, and none for those that are true';

export class CapabilityReason implements Reason {
  @EnumProperty(
    'The first of these that applies, in the order in which the operation refuses. `scope`: the API key is limited to scopes without this operation. `expired`: the subscription of the organization has ended. `locked`: the recording is older than the history of the plan. `plan`: the plan does not include it. `organization_flag`, `member_flag`: the feature flag of the organization, or that of the caller as a member, is off. `role`: the caller may not change the recording. `not_configured`: the service cannot transcribe. `no_media`: there is no media, and none will come unless it is added. `not_ready`: something else has to be completed first, the recording or its transcript; also of `canStartTranscription` once there is a transcript, and of `canRegenerateTranscription` until then',
    { values: CAPABILITY_REASON_CODES, name: 'CapabilityReasonCode', example: 'plan' },
  )
  reason: CapabilityReasonCode;

  @EnumProperty('The lowest plan with which `plan` or `locked` would not apply; null for all other reasons', {
    values: PLANS,
    name: 'OrganizationPlan',
    example: 'PRO',
    nullable: true,
  })
  plan: Plan | null;
}

export const ReasonProperty = (capability: string): PropertyDecorator =>
  NestedProperty(() => CapabilityReason, `Why \`${capability}\` is false`, { optional: true });

export class RecordingListItemCapabilityReasons {
  @ReasonProperty('canDownload')
  canDownload?: CapabilityReason;

  @ReasonProperty('canShare')
  canShare?: CapabilityReason;

  @ReasonProperty('canViewTranscription')
  canViewTranscription?: CapabilityReason;

  @ReasonProperty('canGenerateSummary')
  canGenerateSummary?: CapabilityReason;

  @ReasonProperty('canAskQuestions')
  canAskQuestions?: CapabilityReason;
}

export class RecordingCapabilityReasons
  extends RecordingListItemCapabilityReasons
  implements Partial<Record<Capability, CapabilityReason>>
{
  @ReasonProperty('canStartTranscription')
  canStartTranscription?: CapabilityReason;

  @ReasonProperty('canRegenerateTranscription')
  canRegenerateTranscription?: CapabilityReason;

  @ReasonProperty('canRenameSpeaker')
  canRenameSpeaker?: CapabilityReason;

  @ReasonProperty('canViewSummary')
  canViewSummary?: CapabilityReason;
}

const LISTED = [
  'canDownload',
  'canShare',
  'canViewTranscription',
  'canGenerateSummary',
  'canAskQuestions',
] as const satisfies readonly (keyof RecordingListItemCapabilities)[];

export const presentListedReasons = (reasons: CapabilityReasons): RecordingListItemCapabilityReasons =>
  presentReasons(reasons, LISTED);

export const presentDetailReasons = (reasons: CapabilityReasons): RecordingCapabilityReasons =>
  presentReasons(reasons, CAPABILITIES);

function presentReasons<Shown extends Capability>(
  reasons: CapabilityReasons,
  shown: readonly Shown[],
): Partial<Record<Shown, CapabilityReason>> {
  const presented: Partial<Record<Shown, CapabilityReason>> = {};
  for (const capability of shown) {
    const reason = reasons[capability];
    if (reason) presented[capability] = reason;
  }
  return presented;
}
