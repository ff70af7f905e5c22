import { EVENT_TYPES, type ChangeTypeName } from '../../contract/change-catalog.js';
import { DomainError } from '../../contract/domain-error.js';
import { FAMILY_PATTERNS } from '../../contract/event-families.js';
import { printable } from '../../lib/text.js';
import type { EventFiltersDto } from './dto/list-events.dto.js';

/** Which events a reader wants, of those that they may see. */
export interface EventFilters {
  /** Null: all. */
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

/** Types separated by commas; `recording.*` stands for all that start so. */
function readTypes(text: string): ReadonlySet<ChangeTypeName> {
  return new Set(text.split(',').flatMap((given) => typesOf(given.trim())));
}

function typesOf(given: string): readonly ChangeTypeName[] {
  const found = given.endsWith('.*')
    ? EVENT_TYPES.filter((type) => type.startsWith(given.slice(0, -1)))
    : EVENT_TYPES.filter((type) => type === given);
  if (found.length > 0) return found;
  throw new DomainError(
    'VALIDATION_ERROR',
    `types: ${printable(given)} is not a type of event; must be types such as recording.completed, or one of ${FAMILY_PATTERNS.join(', ')}, separated by commas`,
  );
}
