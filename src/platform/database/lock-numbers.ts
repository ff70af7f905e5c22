/**
 * The advisory locks that processes of the service take from each other, by what holds them. Arbitrary, but unlikely to
 * be used by another program on the same database. A number is never given out again.
 */
export const LOCKS = {
  /** Changes of the schema, and a restore. */
  migration: 7_345_190_112,
  import: 7_345_190_114,
  /** In a function of release 1.0.0, which has the number of its own. */
  partitions: 7_345_190_115,
  publishing: 7_345_190_116,
  sealing: 7_345_190_117,
  signIns: 7_345_190_118,
  /** While it is held, jobs that remove objects wait. */
  backup: 7_345_190_119,
} as const;

/** First keys of advisory locks with two keys. */
export const LOCK_CLASSES = {
  /** Second key: hash of the id of a worker. */
  worker: 734_519,
  /** Lets only one worker process choose a job at a time. Second key: the lane. */
  choice: 734_520,
  /** Second key: hash of the address of somebody who comes from an identity provider. */
  signIn: 734_521,
} as const;
