import { FEATURES } from '../../policy/plans.js';
import { usageError } from './exit-status.js';

/** `--enable` and `--disable`. */
export interface FlagOptions<Name extends string> {
  readonly enable?: readonly Name[];
  readonly disable?: readonly Name[];
}

export type OrganizationFlag = (typeof FEATURES)[number];

/** As the API calls them. */
export const MEMBER_FLAGS = [...FEATURES, 'view_all_recordings', 'view_folder_recordings'] as const;
export type MemberFlag = (typeof MEMBER_FLAGS)[number];

/** The flags that are to change; undefined if none is. */
export function flagChanges<Name extends string>({
  enable = [],
  disable = [],
}: FlagOptions<Name>): Partial<Record<Name, boolean>> | undefined {
  const both = enable.find((name) => disable.includes(name));
  if (both !== undefined) throw usageError(`${both} is in both --enable and --disable`);
  if (enable.length + disable.length === 0) return undefined;
  const changes = [...enable.map((name) => [name, true]), ...disable.map((name) => [name, false])];
  return Object.fromEntries(changes) as Partial<Record<Name, boolean>>;
}

/** What is said of a change. */
export function flagsInWords({ enable = [], disable = [] }: FlagOptions<string>): string[] {
  return [
    ...(enable.length === 0 ? [] : [`enabled ${enable.join(', ')}`]),
    ...(disable.length === 0 ? [] : [`disabled ${disable.join(', ')}`]),
  ];
}
