import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { invalid } from '../../contract/domain-error.js';
import { EXTERNAL_LIMITS } from '../../contract/external-ids.js';
import type { ExternallyNamed } from '../../contract/id-param.decorator.js';
import { LIMITS } from '../../contract/limits.js';
import { isLine, quoteForMessage } from '../../lib/text.js';
import { EXTERNAL_ID_PREFIX, isUuid } from '../../platform/ids.js';
import { viewerOf, type Caller } from '../../policy/caller.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import { findCandidates } from './external-ids.queries.js';

/** Fields with the id of something, or a list of these. Organizations come first: others are in them. */
export type IdFields = Readonly<Record<string, ExternallyNamed>>;

/** Those of queries and bodies. */
export const ID_FIELDS: IdFields = {
  organization_id: 'organization',
  organizations: 'organization',
  folder_id: 'folder',
  folder_ids: 'folder',
  folders: 'folder',
  folder: 'folder',
  recording_id: 'recording',
  recording_ids: 'recording',
  recordings: 'recording',
  ids: 'recording',
  user_id: 'user',
  user_ids: 'user',
  actor_id: 'user',
  new_owner: 'user',
  owner_id: 'user',
  restricted_to: 'user',
};

/** Of the resources that an ambiguous external id stands for. */
const SHOWN = 5;

/** Replaces external ids with the ids that they stand for. An unknown one stays as it is and, like any unknown id, finds nothing. */
@Injectable()
export class ExternalIdsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: RecordingAccessService,
  ) {}

  /**
   * Replaces those in `fields`, in place, among what belongs to the organization `within`, or else to the one that they
   * name. Returns the id of that organization; null: any. 400 `VALIDATION_ERROR` for one that stands for several.
   */
  async replace(
    caller: Caller,
    fields: Record<string, unknown>,
    nouns: IdFields,
    within: string | null = null,
  ): Promise<string | null> {
    let organizationId = within;
    for (const [name, noun] of Object.entries(nouns)) {
      if (!Object.hasOwn(fields, name)) continue;
      const values = [fields[name]].flat();
      const external = values.filter(isExternal);
      // A list of more is refused afterwards.
      if (external.length > 0 && values.length <= LIMITS.bulk) {
        const ids = await this.resolve(caller, [name, noun], external, organizationId);
        const replaced = values.map((value) => ids.get(value as string) ?? value);
        fields[name] = Array.isArray(fields[name]) ? replaced : replaced[0];
      }
      if (noun === 'organization') organizationId ??= uuidOf(fields[name]);
    }
    return organizationId;
  }

  /** Finds the ids of those that stand for something: a list takes no more statements than one. */
  private async resolve(
    caller: Caller,
    [name, noun]: readonly [name: string, noun: ExternallyNamed],
    values: readonly string[],
    organizationId: string | null,
  ): Promise<ReadonlyMap<string, string>> {
    const given = [...new Set(values)].map((value) => value.slice(EXTERNAL_ID_PREFIX.length));
    const externalIds = given.filter((externalId) => isLine(externalId, EXTERNAL_LIMITS.externalId));
    const { id: callerId, managesUsers: operator } = caller;
    const { manager } = this.dataSource;
    const found = await findCandidates(manager, noun, externalIds, { callerId, operator, organizationId });
    // Hidden equals absent.
    const isSeen = noun === 'recording' ? await this.seenBy(caller, [...found.values()].flat()) : () => true;
    const ids = new Map<string, string>();
    for (const [externalId, candidates] of found) {
      const value = EXTERNAL_ID_PREFIX + externalId;
      const [id, ...others] = candidates.filter(isSeen);
      if (others.length > 0)
        throw invalid(
          `${name}: ${quoteForMessage(value)} stands for several, of different organizations or owners; send the id of one: ${[id, ...others].slice(0, SHOWN).join(', ')}`,
        );
      if (id !== undefined) ids.set(value, id);
    }
    return ids;
  }

  private async seenBy(caller: Caller, recordingIds: readonly string[]): Promise<(id: string) => boolean> {
    if (recordingIds.length === 0) return () => false;
    const seen = await this.access.findVisible(this.dataSource.manager, viewerOf(caller), recordingIds);
    return (id) => seen.has(id);
  }
}

export const isExternal = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(EXTERNAL_ID_PREFIX);

const uuidOf = (value: unknown): string | null => (typeof value === 'string' && isUuid(value) ? value : null);
