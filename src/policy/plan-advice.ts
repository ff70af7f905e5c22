import { CLI } from '../contract/cli.js';
import {
  lowestPlan,
  PLAN_CATALOG,
  type Feature,
  type Plan,
  type PlanRules,
  type PlanSource,
} from './plans.js';

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

/** Says which plan includes the feature and who can give it: for the message of an error. */
export function explainMissingFeature(inForce: PlanInForce, feature: Feature): string {
  return `The ${inForce.plan} plan does not include ${feature}${remedy(inForce, (rules) => rules.features[feature])}`;
}

/** The same for a recording that is older than the history of the plan. */
export function explainLock(inForce: PlanInForce): string {
  const { historyDays } = PLAN_CATALOG[inForce.plan];
  return `The ${inForce.plan} plan includes ${historyDays} days of history, and this recording is older${remedy(inForce, hasAllHistory)}`;
}

const hasAllHistory = ({ historyDays }: PlanRules): boolean => historyDays === null;

function remedy({ planSource }: PlanInForce, includes: (rules: PlanRules) => boolean): string {
  const needed = lowestPlan(includes);
  if (needed === undefined) return '.';
  const how = `"${CLI} ${COMMANDS[planSource](needed)}"`;
  return planSource === 'ended subscription'
    ? `; it applies because the organization's subscription has ended. An operator renews it with ${how}.`
    : `; this requires the ${needed} plan. An operator changes it with ${how}.`;
}
