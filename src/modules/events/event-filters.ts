import { EVENT_TYPES, typesNamed, type ChangeTypeName } from '../../contract/change-catalog.js';
import { FAMILY_PATTERNS } from '../../contract/event-families.js';
import { printable } from '../../lib/text.js';
import type { EventFiltersDto } from './dto/list-events.dto.js';

/** The events that a reader wants, of those that they may see. */
export interface EventFilters {
  /** Null stands for all. */
  readonly types: ReadonlySet<ChangeTypeName> | null;
  readonly recordingId: string | null;
  readonly organizationId: string | null;
}

export function readEventFilters(query: EventFiltersDto): EventFilters {
  return {
    types: query.types === undefined ? null : readTypes(query.types),
    recordingId: query.recording_id?.toLowerCase() ?? null,
    organizationId: query.organization_id?.toLowerCase() ?? null,
  };
}

/** What is wrong with types separated by commas, or null; `recording.*` stands for all that start so. */
export function problemOfTypes(text: unknown): string | null {
  const unknown = namesIn(String(text)).find((name) => typesNamed(name, EVENT_TYPES).length === 0);
  return unknown === undefined
    ? null
    : `${printable(unknown)} is not a type of event; must be types such as recording.completed, or one of ${FAMILY_PATTERNS.join(', ')}, separated by commas`;
}

const readTypes = (text: string): ReadonlySet<ChangeTypeName> =>
  new Set(namesIn(text).flatMap((name) => typesNamed(name, EVENT_TYPES)));

const namesIn = (text: string): string[] => text.split(',').map((name) => name.trim());
