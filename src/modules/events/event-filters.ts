import { EVENT_TYPES, typesNamed, type ChangeTypeName } from '../../contract/change-catalog.js';
import { DomainError } from '../../contract/domain-error.js';
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

/** Reads types separated by commas; `recording.*` stands for all that start so. */
function readTypes(text: string): ReadonlySet<ChangeTypeName> {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => typesNamed(name, EVENT_TYPES).length === 0);
  if (unknown === undefined) return new Set(names.flatMap((name) => typesNamed(name, EVENT_TYPES)));
  throw new DomainError(
    'VALIDATION_ERROR',
    `types: ${printable(unknown)} is not a type of event; must be types such as recording.completed, or one of ${FAMILY_PATTERNS.join(', ')}, separated by commas`,
  );
}
