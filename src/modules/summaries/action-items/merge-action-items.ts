import { LIMITS } from '../../../contract/limits.js';
import { newId } from '../../../platform/ids.js';
import type { ActionItem } from '../entities/action-item.entity.js';
import type { GivenActionItem } from '../public/summary-content.dto.js';

/** An action item without its place. */
export type StoredActionItem = Omit<ActionItem, 'recordingId' | 'position' | 'summary'>;

/** Seconds between the moments of two items that are still the same. */
const SAME_MOMENT = 5;

/**
 * The action items that a summary has after a new one. An item of the new one is the same as an existing one if it has
 * its id, its text or its moment, and keeps its id. Those that people have changed stay as they are, even if the new
 * summary no longer has them; with `replaces`, only what is given stays. In the order of the meeting.
 */
export function mergeActionItems(
  existing: readonly StoredActionItem[],
  given: readonly GivenActionItem[],
  { replaces }: { readonly replaces: boolean },
): StoredActionItem[] {
  const left = new Set(existing);
  const pairs = new Map<GivenActionItem, StoredActionItem>();
  for (const isSame of [sameId, sameText, sameMoment]) {
    for (const item of given) {
      const found = pairs.has(item) ? undefined : [...left].find((one) => isSame(one, item));
      if (!found) continue;
      pairs.set(item, found);
      left.delete(found);
    }
  }
  const kept = replaces ? [] : [...left].filter(isChanged);
  const items = given.map((item) => {
    const found = pairs.get(item);
    return found && !replaces && isChanged(found) ? found : merged(item, found);
  });
  const changed = [...kept, ...items.filter(isChanged)];
  const others = items.filter((item) => !isChanged(item));
  // Nothing that a person has changed is dropped for what nobody has seen yet.
  const fitting = [...changed, ...others].slice(0, LIMITS.actionItems);
  return fitting.sort((one, other) => timeOf(one) - timeOf(other));
}

const isChanged = ({ changedAt }: StoredActionItem): boolean => changedAt !== null;
const timeOf = ({ start }: StoredActionItem): number => start ?? Infinity;

const sameId = ({ id }: StoredActionItem, item: GivenActionItem): boolean => id === item.id;

const sameText = ({ text }: StoredActionItem, item: GivenActionItem): boolean =>
  plain(text) === plain(item.text);

function sameMoment({ start }: StoredActionItem, item: GivenActionItem): boolean {
  return start !== null && typeof item.start === 'number' && Math.abs(start - item.start) <= SAME_MOMENT;
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

function merged(item: GivenActionItem, found: StoredActionItem | undefined): StoredActionItem {
  const { text, owner, due, dueDate = null, start = null, segmentIds, done = false } = item;
  return {
    id: found?.id ?? newId(),
    text,
    owner,
    due,
    dueDate,
    start,
    segmentIds: [...segmentIds],
    confidence: item.confidence ?? null,
    done,
    changedAt: found?.changedAt ?? null,
  };
}
