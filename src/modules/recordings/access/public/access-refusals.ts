import { DomainError } from '../../../../contract/domain-error.js';
import { RepeatableDecision } from '../../../../platform/idempotency/repeatable-decision.js';
import type { ErrorCode } from '../../../../contract/error-catalog.js';
import { explainFlag, explainLock, explainMissingFeature } from '../../../../policy/advice.js';
import { firstRefused } from '../../../../policy/capabilities.js';
import type { Feature } from '../../../../policy/plans.js';
import type { RecordingAccess } from '../../../../policy/recording-access.js';

/** The error code when the plan or the feature flags do not grant a feature. */
const FEATURE_OFF: Readonly<Record<Feature, ErrorCode>> = {
  downloads: 'FORBIDDEN',
  sharing: 'SHARING_DISABLED',
  transcription: 'TRANSCRIPT_NOT_AVAILABLE',
  summaries: 'FORBIDDEN',
  questions: 'FORBIDDEN',
};

export const lockedError = (access: RecordingAccess): DomainError =>
  new DomainError('RECORDING_LOCKED', ...explainLock(access));

/** Refuses those who see a recording but may not change it. */
export const notEditable = (): DomainError =>
  new DomainError(
    'FORBIDDEN',
    'You can view this recording but not change it; its owner can, and every OWNER or ADMIN of its organization.',
  );

/** What an operation requires of a recording besides being visible. */
export interface Needs {
  /** Its organization's subscription has not ended. */
  readonly readable?: true;
  readonly unlocked?: true;
  /** The operation's own feature first. */
  readonly features?: readonly [Feature, Feature?];
  readonly edit?: true;
}

/** Opening a recording, by its id in any case. */
export const OPENING = new RepeatableDecision<{ readonly id: string; readonly needs: Needs }>('recording');

/** Throws what a visible recording does not permit, in the order of the contract. */
export function requireNeeds(access: RecordingAccess, { readable, unlocked, features, edit }: Needs): void {
  if (readable && access.expired) throw new DomainError('ORGANIZATION_SUBSCRIPTION_EXPIRED');
  if (unlocked && access.locked) throw lockedError(access);
  if (features) requireFeatures(access, ...features);
  if (edit && !access.mayChange) throw notEditable();
}

/** Throws unless the recording is unlocked and both features may be used; the first is the operation's own. */
function requireFeatures(access: RecordingAccess, feature: Feature, alsoRequires?: Feature): void {
  if (access.locked) throw lockedError(access);
  const { refusals } = access;
  const refused = firstRefused(refusals, alsoRequires ? [feature, alsoRequires] : [feature]);
  const refusal = refused && refusals[refused];
  if (!refused || !refusal) return;
  if (refusal !== 'plan') throw new DomainError(FEATURE_OFF[refused], explainFlag(refused, refusal));
  const code = refused === alsoRequires ? 'RECORDING_LOCKED' : FEATURE_OFF[refused];
  throw new DomainError(code, ...explainMissingFeature(access, refused));
}

/** Whether work under way may continue: with the right to change the recording and the feature it needs, if any. */
export const permitsChange = (
  { visible, mayChange, refusals }: RecordingAccess,
  feature: Feature | null,
): boolean => visible && mayChange && (feature === null || refusals[feature] === null);
