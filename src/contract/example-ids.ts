/**
 * Ids in the demo workspace, which Swagger UI fills in. Operations that replace or delete their target have no example
 * id, nor do resources that the demo lacks: users have to enter an id (docs/decisions/0007-http-contract.md).
 */
export const EXAMPLE_IDS = {
  recording: '01a1edfd-ddc0-7c01-8c00-5eed0000c001',
  organization: '019c1d66-c3c0-7b01-8b00-5eed0000b001',
  folder: '019c1d6f-eb80-7f01-8f00-5eed0000f001',
  /** Another member of the organization, who is not its OWNER. */
  member: '019c416a-2000-7a02-8a00-5eed0000a002',
} as const;
