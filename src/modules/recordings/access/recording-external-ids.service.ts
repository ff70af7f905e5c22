import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { conflict, type DomainError } from '../../../contract/domain-error.js';
import { quoteForMessage } from '../../../lib/text.js';
import {
  type ExternalIdClaim,
  findTakenExternalIds,
  type Named,
} from '../../../platform/database/external-ids/external-ids.queries.js';
import { sql } from '../../../platform/database/sql.js';
import { viewerOf, withoutKey, type Caller } from '../../../policy/caller.js';
import type { Recording } from './entities/recording.entity.js';
import { RecordingAccessService } from './recording-access.service.js';

/** A caller, or the user for whom the command line acts. */
type Asking = Pick<Caller, 'id'> & Partial<Pick<Caller, 'apiKey'>>;

/** External ids of recordings are unique in an organization, and among the personal recordings of a user. */
@Injectable()
export class RecordingExternalIdsService {
  constructor(private readonly access: RecordingAccessService) {}

  /**
   * Returns the reason for each recording that cannot have its external id, 409 `CONFLICT`, which names the other
   * recording to those who see it. `scopeId`: the organization or, for personal ones, the owner.
   */
  async findRefusals(
    manager: EntityManager,
    who: Asking,
    scopeId: string | null,
    claims: readonly ExternalIdClaim[],
  ): Promise<ReadonlyMap<string, DomainError>> {
    const taken = await findTakenExternalIds(
      manager,
      claims,
      (externalIds) => sql`
        SELECT r.id, r.external_id AS "externalId" FROM recordings r
        WHERE r.external_id = ANY (${externalIds}::text[]) AND COALESCE(r.organization_id, r.owner_id) = ${scopeId}::uuid`,
    );
    if (taken.size === 0) return new Map();
    const { id, apiKey } = who;
    const viewer = apiKey ? viewerOf({ id, apiKey }) : withoutKey(id);
    const others = [...taken.values()].map((other) => other.id);
    const seen = await this.access.findVisible(manager, viewer, others);
    const refusal = (other: Named): DomainError => {
      const named = seen.has(other.id) ? `the recording ${other.id}` : 'another recording there';
      return conflict(`external_id: ${quoteForMessage(other.externalId)} is that of ${named}.`);
    };
    return new Map([...taken].map(([claimed, other]) => [claimed, refusal(other)]));
  }

  /** Throws that reason for one recording. */
  async require(
    manager: EntityManager,
    who: Asking,
    { organizationId, ownerId, ...claim }: ExternalIdClaim & Pick<Recording, 'organizationId' | 'ownerId'>,
  ): Promise<void> {
    const refusals = await this.findRefusals(manager, who, organizationId ?? ownerId, [claim]);
    for (const refusal of refusals.values()) throw refusal;
  }
}
