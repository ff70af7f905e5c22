import type { Type } from '@nestjs/common';
import {
  BooleanProperty,
  classOf,
  EnumProperty,
  NestedProperty,
} from '../../../../platform/openapi/field.decorator.js';
import {
  CAPABILITY_REASON_CODES,
  type Capabilities,
  type Capability,
  type CapabilityReason as Reason,
  type CapabilityReasonCode,
  type CapabilityReasons,
} from '../../../../policy/capabilities.js';
import { PLANS, type Plan } from '../../../../policy/plans.js';

/** Those that items of lists have. */
export const LISTED = [
  'canDownload',
  'canShare',
  'canViewTranscription',
  'canGenerateSummary',
  'canAskQuestions',
] as const satisfies readonly Capability[];

/** What each of them means, and an example. */
const MEANINGS: Readonly<Record<Capability, readonly [meaning: string, example: boolean]>> = {
  canDownload: ['There is media, and it can be downloaded', true],
  canShare: ['Share links can be created', true],
  canViewTranscription: ['The transcript can be read', true],
  canGenerateSummary: ['A summary can be generated', false],
  canAskQuestions: ['Questions about the meeting can be asked', true],
  canStartTranscription: ['The recording can be transcribed for the first time', false],
  canRegenerateTranscription: ['The recording can be transcribed again', true],
  canRenameSpeaker: ['Speakers can be renamed', true],
  canViewSummary: ['The summary can be read', true],
};
const ALL = Object.keys(MEANINGS) as Capability[];

/** Declares a class with a field for each of these capabilities. */
const fieldsOf = <Name extends Capability, Value>(
  names: readonly Name[],
  fieldOf: (name: Name) => PropertyDecorator,
): Type<Record<Name, Value>> =>
  classOf(Object.fromEntries(names.map((name) => [name, fieldOf(name)])) as Record<Name, PropertyDecorator>);

const booleansOf = <Name extends Capability>(names: readonly Name[]): Type<Record<Name, boolean>> =>
  fieldsOf(names, (name) => BooleanProperty(MEANINGS[name][0], { example: MEANINGS[name][1] }));

export class RecordingListItemCapabilities extends booleansOf(LISTED) {}
export class RecordingCapabilities extends booleansOf(ALL) {}

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

const ReasonProperty = (capability: string): PropertyDecorator =>
  NestedProperty(() => CapabilityReason, `Why \`${capability}\` is false`, { optional: true });

const reasonsOf = <Name extends Capability>(names: readonly Name[]): Type<Partial<Record<Name, Reason>>> =>
  fieldsOf(names, ReasonProperty);

export class RecordingListItemCapabilityReasons extends reasonsOf(LISTED) {}
export class RecordingCapabilityReasons extends reasonsOf(ALL) {}

export function presentListedCapabilities(capabilities: Capabilities): RecordingListItemCapabilities {
  // By name, as this runs for every recording of a list.
  const { canDownload, canShare, canViewTranscription, canGenerateSummary, canAskQuestions } = capabilities;
  return { canDownload, canShare, canViewTranscription, canGenerateSummary, canAskQuestions };
}

/** `shown`: `LISTED` in a list, or `CAPABILITIES`. */
export function presentReasons<Shown extends Capability>(
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
