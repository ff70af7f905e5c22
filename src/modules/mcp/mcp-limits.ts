/** The limits that language models can notice. `LIMITS` has those of the API. */
export const MCP_LIMITS = {
  /** Messages that a client of MCP sends at once. */
  batch: 50,
  /** Recordings that a search by a model returns. */
  searchPage: { min: 1, max: 25, default: 10 },
  /** Recordings that a search by a model skips at most. */
  searchOffset: 100_000,
  /** Characters of a transcript that a model reads at once. */
  transcript: { min: 1_000, max: 100_000, default: 20_000 },
  /** Characters of a transcript as a resource, which has no pages. */
  resource: 200_000,
  /** Recordings whose resources are listed, the newest. */
  resources: 25,
} as const;
