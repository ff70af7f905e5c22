import type { Removal } from '../contract/changes/change-details.js';
import { DAY_MS } from '../lib/durations.js';
import type { Plan, UserPlan } from './plans.js';
import type { ContentStatus, RecordingStatus } from './recording-status.js';

export const RETENTION_SOURCES = ['organization', 'folder', 'plan', 'installation'] as const;
export type RetentionSource = (typeof RETENTION_SOURCES)[number];

export const COUNTED_FROM = ['meeting', 'last_view'] as const;
export type CountedFrom = (typeof COUNTED_FROM)[number];

/** A rule as an organization has set it. */
export interface OrganizationRule {
  readonly id: string;
  readonly removes: Removal;
  readonly days: number;
  readonly counted_from: CountedFrom;
  /** Null: in every folder, and outside of folders. */
  readonly folder_id: string | null;
  readonly except: {
    /** Patterns, in which `*` stands for anything. */
    readonly titles: readonly string[];
    readonly owner_ids: readonly string[];
    readonly folder_ids: readonly string[];
  };
  /** ISO time before which it removes nothing: it was set `notice_days` earlier. */
  readonly effective_at: string;
}

export interface OrganizationRetention {
  readonly noticeDays: number;
  readonly rules: readonly OrganizationRule[];
}

/** Days after which the installation removes recordings; null: never. */
export interface RetentionCaps {
  readonly personal: number | null;
  readonly plans: Readonly<Record<Plan, number | null>>;
}

/** A rule as it applies to recordings. */
export interface RetentionRule extends Pick<OrganizationRule, 'removes' | 'days' | 'except'> {
  /** Null for those of the installation. */
  readonly id: string | null;
  readonly source: RetentionSource;
  readonly countedFrom: CountedFrom;
  readonly folderId: string | null;
  readonly effectiveAt: Date;
  /** How long before its removal a recording is announced. */
  readonly noticeDays: number;
}

/** What rules need to know of a recording; in the bin, of where it was. */
export interface RetentionFacts {
  readonly ownerId: string | null;
  readonly folderId: string | null;
  /** The ids of the rules that except its title. */
  readonly exceptedBy: readonly string[];
  /** When the meeting ended, as far as known. */
  readonly metAt: Date;
  readonly viewedAt: Date | null;
  /** When it was created, or last moved. */
  readonly placedAt: Date;
  readonly status: RecordingStatus;
  readonly hasMedia: boolean;
  readonly withoutMedia: boolean;
  readonly hasOriginal: boolean;
  readonly transcript: ContentStatus | null;
  readonly summary: ContentStatus | null;
  readonly inBin: boolean;
}

/** What goes next of a recording, when, and the rule that says so. */
export interface Retention {
  readonly endsAt: Date;
  readonly rule: RetentionRule;
}

/** The notice of what the installation removes. */
const NOTICE_DAYS = 7;
const NO_EXCEPTIONS = { titles: [], owner_ids: [], folder_ids: [] } as const;
const ALWAYS = new Date(0);
/** At the same time, the rule that removes the most counts. */
const MOST_FIRST: readonly Removal[] = ['all', 'media', 'transcript', 'original'];

/** Orders rules so that the first of those that end at the same time is the one that counts. */
function inOrder(rules: readonly RetentionRule[]): RetentionRule[] {
  return rules.toSorted((a, b) => MOST_FIRST.indexOf(a.removes) - MOST_FIRST.indexOf(b.removes));
}

function capped(source: 'plan' | 'installation', days: number | null): RetentionRule[] {
  if (days === null) return [];
  const common = { id: null, removes: 'all', countedFrom: 'meeting', folderId: null } as const;
  return [{ ...common, source, days, except: NO_EXCEPTIONS, effectiveAt: ALWAYS, noticeDays: NOTICE_DAYS }];
}

/** The rules for the recordings of an organization: its own, and what its plan permits, also after the subscription has ended. */
export function organizationRules(
  { noticeDays, rules }: OrganizationRetention,
  plan: Plan,
  { plans }: RetentionCaps,
): RetentionRule[] {
  const own = rules.map(({ id, removes, days, counted_from, folder_id, except, effective_at }) => ({
    id,
    removes,
    days,
    except,
    countedFrom: counted_from,
    folderId: folder_id,
    source: folder_id === null ? ('organization' as const) : ('folder' as const),
    effectiveAt: new Date(effective_at),
    // Zero days leave no time for a notice.
    noticeDays: days === 0 ? 0 : noticeDays,
  }));
  return inOrder([...own, ...capped('plan', plans[plan])]);
}

/** The rules for the personal recordings of users with a plan. */
export const personalRules = (plan: UserPlan, { personal, plans }: RetentionCaps): RetentionRule[] =>
  inOrder([...capped('installation', personal), ...capped('plan', plans[plan])]);

/** What goes next of a recording: of the rules for it, the strictest, which ends first. Null: all is kept. */
export function retentionOf(rules: readonly RetentionRule[], facts: RetentionFacts): Retention | null {
  const found = rules
    .filter((rule) => applies(rule, facts))
    .map((rule) => ({ rule, endsAt: endOf(rule, facts) }));
  return found.reduce<Retention | null>(
    (first, one) => (first && first.endsAt <= one.endsAt ? first : one),
    null,
  );
}

/** Whether what a rule removes can go now: media and texts wait while something is made of them. */
export const isRemovable = (
  { removes }: RetentionRule,
  { status, transcript, summary }: RetentionFacts,
): boolean =>
  removes === 'all' ||
  ((status === 'COMPLETED' || status === 'ERROR') && transcript !== 'processing' && summary !== 'processing');

/** Whether the rule is for this recording, and it has what the rule removes. */
function applies({ id, removes, folderId, except }: RetentionRule, facts: RetentionFacts): boolean {
  if (folderId !== null && facts.folderId !== folderId) return false;
  if (facts.ownerId !== null && except.owner_ids.includes(facts.ownerId)) return false;
  if (facts.folderId !== null && except.folder_ids.includes(facts.folderId)) return false;
  if (id !== null && facts.exceptedBy.includes(id)) return false;
  if (removes === 'all') return true;
  if (facts.inBin) return false;
  if (removes === 'media') return facts.hasMedia || !facts.withoutMedia;
  if (removes === 'original') return facts.hasOriginal;
  return facts.transcript === 'completed' || facts.transcript === 'failed';
}

/** Not before the rule is in force, and not before those who have got the recording there have had their notice. */
function endOf(
  { removes, days, countedFrom, effectiveAt, noticeDays }: RetentionRule,
  facts: RetentionFacts,
): Date {
  const { metAt, viewedAt, placedAt } = facts;
  const from = Math.max(metAt.getTime(), countedFrom === 'last_view' ? (viewedAt?.getTime() ?? 0) : 0);
  // With zero days, media goes when its texts are there; if they fail, there is a day to try again.
  const isAwaited =
    removes === 'media' && days === 0 && (facts.transcript !== 'completed' || facts.summary !== 'completed');
  const end = isAwaited ? Math.max(from, placedAt.getTime()) + DAY_MS : from + days * DAY_MS;
  const noticed = placedAt.getTime() + Math.min(days, noticeDays) * DAY_MS;
  return new Date(Math.max(end, effectiveAt.getTime(), noticed));
}
