/** The limits that SCIM clients can notice. `LIMITS` has those of the API. */
export const DIRECTORY_LIMITS = {
  /** Users or groups of a page. */
  page: { max: 200, default: 100 },
  /** Members of all groups of a page: the page ends before the group that would exceed it. */
  pageMembers: 20_000,
  /** Characters of a filter, of a path, and of a list of attributes. */
  filter: 1_000,
  /** Operations of a PATCH. */
  operations: 100,
  /** Email addresses of a user in a request, of which one is kept. */
  emails: 20,
  /** Names and ids that a directory gives. */
  name: { min: 1, max: 254 },
  /** Per organization; those who are disabled are included. */
  users: 20_000,
  groups: 1_000,
} as const;
