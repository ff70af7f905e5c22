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
      .map((feature) => `o.feature_${feature} AS ${feature}, m.feature_${feature} AS my_${feature}`)
      .join(', ')}`;

/** The columns of `TERMS` that are feature flags. */
export const TERM_FLAGS = Object.keys(ALL).flatMap((feature) => [feature, `my_${feature}`]);

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
  /** Why the feature is missing; null if it is not. */
  const lacks = (feature) => {
    if (expired) return EXPIRED;
    if (locked) return LOCKED;
    if (!includes[feature]) return NOT_IN_PLAN;
    if (!organization) return null;
    return row[feature] ? (row[`my_${feature}`] ? null : MEMBER_FLAG) : ORGANIZATION_FLAG;
  };
  return { expired, locked, lacks, has: (feature) => lacks(feature) === null };
}

const because = (reason, plan = null) => ({ reason, plan });
const EXPIRED = because('expired');
const LOCKED = because('locked', 'PRO');
const NOT_IN_PLAN = because('plan', 'PRO');
const ORGANIZATION_FLAG = because('organization_flag');
const MEMBER_FLAG = because('member_flag');
const ROLE = because('role');
const NOT_CONFIGURED = because('not_configured');
const NO_MEDIA = because('no_media');
const NOT_READY = because('not_ready');

/**
 * Why each capability is not given; null if it is. `row` has `may_change`, `status`, `without_media`, `has_media` and
 * `t_status`.
 */
export function reasonsAgainst(row, { lacks }, transcribes = true) {
  const transcription = lacks('transcription');
  const role = row.may_change ? null : ROLE;
  const media = missingMedia(row);
  const untranscribed = row.t_status === 'completed' ? null : NOT_READY;
  const transcribable = transcription ?? role ?? (transcribes ? null : NOT_CONFIGURED) ?? media;
  const startable = row.t_status === null || row.t_status === 'not_started' || row.t_status === 'failed';
  const questions = lacks('questions');
  return {
    canDownload: lacks('downloads') ?? media,
    canShare: lacks('sharing'),
    canViewTranscription: transcription,
    canStartTranscription: transcribable ?? (startable ? null : NOT_READY),
    canRegenerateTranscription: transcribable ?? untranscribed,
    canRenameSpeaker: transcription ?? role ?? untranscribed,
    canViewSummary: lacks('summaries'),
    canGenerateSummary: lacks('summaries') ?? role ?? untranscribed,
    canAskQuestions:
      (questions === NOT_IN_PLAN ? questions : null) ?? transcription ?? questions ?? untranscribed,
  };
}

function missingMedia({ status, has_media: hasMedia, without_media: withoutMedia }) {
  if (isPlayable(status)) return hasMedia || !withoutMedia ? null : NO_MEDIA;
  return status === 'ERROR' ? NO_MEDIA : NOT_READY;
}

/** The capabilities with these names, and the reasons against those that are false. */
export function capabilitiesOf(against, names) {
  const capabilities = {};
  const capabilityReasons = {};
  for (const name of names) {
    const reason = against[name];
    capabilities[name] = reason === null;
    if (reason !== null) capabilityReasons[name] = reason;
  }
  return { capabilities, capabilityReasons };
}

export const isPlayable = (status) => status === 'COMPLETED' || status === 'MIGRATING';

/** `media` of a recording; `stored`: whether there is any. */
export function mediaOf(status, stored) {
  if (isPlayable(status)) return stored ? 'available' : 'none';
  return status === 'ERROR' ? 'none' : 'pending';
}
