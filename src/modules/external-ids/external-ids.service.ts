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

/** Replaces external ids by the ids that they stand for. One that is nobody's stays, and like any unknown id finds nothing. */
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
      const resolve = (one: unknown) => this.resolve(caller, [name, noun], one, organizationId);
      const value = fields[name];
      if (!Array.isArray(value)) fields[name] = await resolve(value);
      // What has more is refused afterwards.
      else if (value.length <= LIMITS.bulk)
        for (const [at, one] of value.entries()) value[at] = await resolve(one);
      if (noun === 'organization') organizationId ??= uuidOf(fields[name]);
    }
    return organizationId;
  }

  private async resolve(
    caller: Caller,
    [name, noun]: readonly [name: string, noun: ExternallyNamed],
    value: unknown,
    organizationId: string | null,
  ): Promise<unknown> {
    if (!isExternal(value)) return value;
    const externalId = value.slice(EXTERNAL_ID_PREFIX.length);
    if (!isLine(externalId, EXTERNAL_LIMITS.externalId)) return value;
    const { id: callerId, managesUsers: operator } = caller;
    const { manager } = this.dataSource;
    const found = await findCandidates(manager, noun, { externalId, callerId, operator, organizationId });
    // One that the caller does not see is found as little as one that does not exist.
    const seen =
      noun === 'recording'
        ? [...(await this.access.findVisible(manager, viewerOf(caller), found)).keys()]
        : found;
    if (seen.length < 2) return seen[0] ?? value;
    throw invalid(
      `${name}: ${quoteForMessage(value)} stands for several, of different organizations or owners; send the id of one: ${seen.join(', ')}`,
    );
  }
}

export const isExternal = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(EXTERNAL_ID_PREFIX);

const uuidOf = (value: unknown): string | null => (typeof value === 'string' && isUuid(value) ? value : null);
