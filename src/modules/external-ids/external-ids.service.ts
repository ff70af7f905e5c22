import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { invalid } from '../../contract/domain-error.js';
import { EXTERNAL_LIMITS } from '../../contract/external-ids.js';
import { LIMITS } from '../../contract/limits.js';
import { isLine, quoteForMessage } from '../../lib/text.js';
import { EXTERNAL_ID_PREFIX, isUuid } from '../../platform/ids.js';
import { viewerOf, type Caller } from '../../policy/caller.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import { findCandidates, isNoun, type Noun } from './external-ids.queries.js';

/** Fields of queries and bodies with the id of something, or a list of these. Organizations first: others are in them. */
export const ID_FIELDS: Readonly<Record<string, Noun>> = {
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

const NAMES = Object.keys(ID_FIELDS);

type Given = Record<string, unknown>;

/** Replaces external ids by the ids that they stand for. One that is nobody's stays, and like any unknown id finds nothing. */
@Injectable()
export class ExternalIdsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: RecordingAccessService,
  ) {}

  /** Replaces those among the parameters of a path, in place. `nouns`: what the parameters are ids of. */
  async resolvePath(caller: Caller, path: Given, nouns: ReadonlyMap<string, string>): Promise<void> {
    for (const [name, noun] of nouns)
      if (isNoun(noun))
        path[name] = await this.resolve(caller, [name, noun], path[name], organizationIn(path, nouns));
  }

  /** Replaces those in the fields of a query or a body, in place. `within`: the organization of the path, if it has one. */
  async resolveFields(caller: Caller, fields: Given, within: string | null): Promise<void> {
    for (const name of NAMES) {
      if (!Object.hasOwn(fields, name)) continue;
      const value = fields[name];
      const organizationId = within ?? uuidOf(fields['organization_id']);
      const resolve = (one: unknown) => this.resolve(caller, [name, ID_FIELDS[name]!], one, organizationId);
      if (!Array.isArray(value)) fields[name] = await resolve(value);
      // What has more is refused afterwards.
      else if (value.length <= LIMITS.bulk)
        for (const [at, one] of value.entries()) value[at] = await resolve(one);
    }
  }

  private async resolve(
    caller: Caller,
    [name, noun]: readonly [name: string, noun: Noun],
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
    const seen = noun === 'recording' ? await this.seenBy(caller, found) : found;
    if (seen.length < 2) return seen[0] ?? value;
    throw invalid(
      `${name}: ${quoteForMessage(value)} stands for several, of different organizations or owners; send the id of one: ${seen.join(', ')}`,
    );
  }

  private async seenBy(caller: Caller, recordingIds: readonly string[]): Promise<string[]> {
    if (recordingIds.length === 0) return [];
    const seen = await this.access.findVisible(this.dataSource.manager, viewerOf(caller), recordingIds);
    return [...seen.keys()];
  }
}

export const isExternal = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(EXTERNAL_ID_PREFIX);

/** The organization of a path that names one. */
export function organizationIn(path: Given, nouns: ReadonlyMap<string, string>): string | null {
  const [name = ''] = [...nouns].find(([, noun]) => noun === 'organization') ?? [];
  return uuidOf(path[name]);
}

const uuidOf = (value: unknown): string | null => (typeof value === 'string' && isUuid(value) ? value : null);
