import { EVENT_TYPES, type ChangeTypeName } from '../../contract/change-catalog.js';
import { readTypes } from '../../contract/type-names.js';
import type { EventFiltersDto } from './dto/list-events.dto.js';

/** The events that a reader wants, of those that they may see. */
export interface EventFilters {
  /** Null stands for all. */
  readonly types: ReadonlySet<ChangeTypeName> | null;
  readonly recordingId: string | null;
  readonly organizationId: string | null;
}

export function readEventFilters(query: EventFiltersDto): EventFilters {
  const types = readTypes(query.types, EVENT_TYPES);
  return {
    types: types ? new Set(types) : null,
    recordingId: query.recording_id?.toLowerCase() ?? null,
    organizationId: query.organization_id?.toLowerCase() ?? null,
  };
}
