import { DomainError } from '../../../../contract/domain-error.js';
import type { ErrorCode } from '../../../../contract/error-catalog.js';
import { PLAN_CATALOG, type Feature, type Plan } from '../../../../policy/plans.js';
import type { RecordingAccess } from '../../../../policy/recording-access.js';

/** The error code when the plan or the feature flags do not grant a feature. */
const FEATURE_OFF: Readonly<Record<Feature, ErrorCode>> = {
  downloads: 'FORBIDDEN',
  sharing: 'SHARING_DISABLED',
  transcription: 'TRANSCRIPT_NOT_AVAILABLE',
  summaries: 'FORBIDDEN',
  questions: 'FORBIDDEN',
};

export function lockedError({ plan }: RecordingAccess): DomainError {
  const { historyDays } = PLAN_CATALOG[plan];
  return new DomainError(
    'RECORDING_LOCKED',
    `The plan ${plan} includes ${historyDays} days of history, and this recording is older.`,
  );
}

/** Refuses those who see a recording but may not change it. */
export const notEditable = (): DomainError =>
  new DomainError('FORBIDDEN', 'You can view this recording but not change it.');

/** Throws unless the recording is unlocked and both features may be used; the first is the operation's own. */
export function requireFeatures(access: RecordingAccess, feature: Feature, alsoRequires?: Feature): void {
  const { plan, refusals } = access;
  if (access.locked) throw lockedError(access);
  if (alsoRequires && refusals[alsoRequires] === 'plan') {
    throw new DomainError('RECORDING_LOCKED', notIncluded(plan, alsoRequires));
  }
  for (const required of alsoRequires ? [feature, alsoRequires] : [feature]) {
    const refusal = refusals[required];
    if (!refusal) continue;
    const flagOff = `The feature flag "${required}" is off for the organization or for you as a member.`;
    throw new DomainError(FEATURE_OFF[required], refusal === 'plan' ? notIncluded(plan, required) : flagOff);
  }
}

const notIncluded = (plan: Plan, feature: Feature): string => `The plan ${plan} does not include ${feature}.`;

/** Whether work under way may continue: with the right to change the recording and the feature it needs, if any. */
export const permitsChange = (
  { visible, mayChange, refusals }: RecordingAccess,
  feature: Feature | null,
): boolean => visible && mayChange && (feature === null || refusals[feature] === null);
