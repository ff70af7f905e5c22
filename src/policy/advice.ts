import { CLI } from '../contract/cli.js';
import {
  hasAllHistory,
  lowestPlan,
  PLAN_CATALOG,
  type Feature,
  type FlagRefusal,
  type Plan,
  type PlanRules,
  type PlanSource,
} from './plans.js';
import { ROLES, type Role } from './roles.js';
import { isPlayable, type ShownStatus, type RecordingStatus } from './recording-status.js';

/*
 * What the message of a refusal says about its reason and the next step.
 */

/** The plan that applies, and what gives it. */
interface PlanInForce {
  readonly plan: Plan;
  readonly planSource: PlanSource;
}

/** The command with which an operator gives a plan. `ORG_ID` and `EMAIL` are to be filled in. */
const COMMANDS: Readonly<Record<PlanSource, (plan: Plan) => string>> = {
  owner: (plan) => `users update --email EMAIL --plan ${plan}`,
  organization: (plan) => `orgs update ORG_ID --plan ${plan}`,
  'ended subscription': () => 'orgs update ORG_ID --subscription active --subscription-ends-at never',
};

/** The message of an error, and the part of it that only operators can act on. */
type Explanation = readonly [message: string, options: { readonly advice?: string }];

export function explainOperatorsOnly(what: string): Explanation {
  const advice = `A user becomes one with "${CLI} users update --email EMAIL --operator"`;
  return [`Only operators can ${what}. ${advice}.`, { advice }];
}

/** Says which plan includes the feature and who can give it. */
export function explainMissingFeature(inForce: PlanInForce, feature: Feature): Explanation {
  const problem = `The ${inForce.plan} plan does not include ${feature}`;
  return withRemedy(problem, inForce, (rules) => rules.features[feature]);
}

/** The same for a recording that is older than the history of the plan. */
export function explainLock(inForce: PlanInForce): Explanation {
  const { historyDays } = PLAN_CATALOG[inForce.plan];
  const problem = `The ${inForce.plan} plan includes ${historyDays} days of history, and this recording is older`;
  return withRemedy(problem, inForce, hasAllHistory);
}

function withRemedy(
  problem: string,
  { planSource }: PlanInForce,
  includes: (rules: PlanRules) => boolean,
): Explanation {
  const needed = lowestPlan(includes);
  if (needed === undefined) return [`${problem}.`, {}];
  const [cause, does] =
    planSource === 'ended subscription'
      ? ["it applies because the organization's subscription has ended", 'renews']
      : [`this requires the ${needed} plan`, 'changes'];
  const advice = `An operator ${does} it with "${CLI} ${COMMANDS[planSource](needed)}"`;
  return [`${problem}; ${cause}. ${advice}.`, { advice }];
}

const FLAGS: Readonly<Record<FlagRefusal, { readonly of: string; readonly path: string }>> = {
  organization_flag: { of: 'the organization', path: '/api/v1/organizations/{organizationId}' },
  member_flag: { of: 'you as a member', path: '/api/v1/organizations/{organizationId}/members/{userId}' },
};

/** Says whose feature flag is off, and how an OWNER turns it on. */
export function explainFlag(feature: Feature, refusal: FlagRefusal): string {
  const { of, path } = FLAGS[refusal];
  return `The feature flag "${feature}" is off for ${of}. An OWNER turns it on: PATCH ${path} with {"features":{"${feature}":true}}.`;
}

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Says what a role does not permit and which do, for the message of an error: `what` such as `list invitations`. */
export const explainRole = (role: Role, what: string, permits: (role: Role) => boolean): string =>
  `The role ${role} cannot ${what}; that needs the role ${EITHER.format(ROLES.filter(permits))}.`;

/** The same for someone without any role in the organization. */
export const NOT_A_MEMBER =
  'You are not a member of this organization; an OWNER or ADMIN of it can invite you.';

const within = (days: number): string => `at most ${days === 1 ? '1 day' : `${days} days`}`;

/** Says why an organization does not accept an API key, and what to do; null: it has just lifted its limit. */
export function explainKeyLife(maxDays: number | null): string {
  return `This organization accepts only API keys that expire ${maxDays === null ? 'soon' : within(maxDays)} after they are created. Rotate this key with expires_in, or create one that expires sooner.`;
}

/** Says why an organization does not accept a session or an API key. */
export const explainProvider = (provider: string): string =>
  `Members of this organization sign in with ${provider}. Sign in with it, or use an API key that was created in such a session.`;

export const explainClients = (): string =>
  'This organization lets in only the OAuth clients that its owners list.';

const WITHOUT_TRANSCRIPT: Readonly<Record<ShownStatus, string>> = {
  not_started: 'The recording has not been transcribed yet.',
  queued: 'The recording will be transcribed once its media has been processed.',
  processing: 'The recording is still being transcribed.',
  completed: 'The recording has been transcribed.',
  failed: 'The transcription of the recording failed.',
};

/** Refuses what a transcription in this status does not permit yet: `what` such as `Questions need`. */
export function explainTranscription(status: ShownStatus, what: string): string {
  const next =
    status === 'processing' || status === 'queued'
      ? 'wait until it is completed'
      : 'POST /api/v1/recordings/{id}/transcription starts one once the media can be played, PUT .../transcript imports one';
  return `${WITHOUT_TRANSCRIPT[status]} ${what} a transcript; ${next}.`;
}

/** How a recording in this status, without media that can be played, gets some. */
export function howToAddMedia(status: RecordingStatus): string {
  if (isPlayable(status) || status === 'ERROR')
    return 'Open an upload with POST /api/v1/recordings/{id}/upload.';
  return status === 'PROCESSING' || status === 'TRANSCODING'
    ? 'Wait until its media has been processed.'
    : 'Send its file with PUT /api/v1/recordings/{id}/media, unless the service fetches it.';
}
