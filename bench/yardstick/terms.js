const DAY_MS = 24 * 60 * 60 * 1000;

const ALL = { downloads: true, sharing: true, transcription: true, summaries: true, questions: true };
const PLANS = {
  FREE: { historyDays: 30, includes: { ...ALL, downloads: false, questions: false } },
  PRO: { historyDays: null, includes: ALL },
  ENTERPRISE: { historyDays: null, includes: ALL },
};

/** Columns of `o` (organizations) and `m` (its members) that determine the terms; nulls for a personal recording. */
export const TERMS = `o.plan, o.subscription_status NOT IN ('canceled', 'expired')
      AND (o.subscription_ends_at IS NULL OR o.subscription_ends_at > now()) AS subscribed,
    ${Object.keys(ALL)
      .map((feature) => `o.feature_${feature} AND m.feature_${feature} AS ${feature}`)
      .join(', ')}`;

/** A timestamp in the format of the API. */
export const iso = (column) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The features that plan, subscription and feature flags allow; `ownerPlan` applies to a personal recording. */
export function termsOf(row, ownerPlan, createdAt) {
  const organization = row.plan !== null;
  const expired = organization && !row.subscribed && row.plan === 'ENTERPRISE';
  const plan = organization ? (row.subscribed || expired ? row.plan : 'FREE') : (ownerPlan ?? 'FREE');
  const { historyDays, includes } = PLANS[plan];
  const locked =
    historyDays !== null && createdAt < new Date(Date.now() - historyDays * DAY_MS).toISOString();
  const open = !expired && !locked;
  const has = (feature) => open && includes[feature] && (!organization || row[feature]);
  return { expired, locked, has };
}

export const isPlayable = (status) => status === 'COMPLETED' || status === 'MIGRATING';

/** `media` of a recording; `stored`: whether there is any. */
export function mediaOf(status, stored) {
  if (isPlayable(status)) return stored ? 'available' : 'none';
  return status === 'ERROR' ? 'none' : 'pending';
}
