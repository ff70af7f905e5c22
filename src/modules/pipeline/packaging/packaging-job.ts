import { objectsOf } from '../../media/public/media-keys.js';
import type { PackagingFacts } from './packaging.queries.js';

/** The job of one attempt. */
export interface PackagingJob {
  readonly recordingId: string;
  /** The attempt. */
  readonly id: string;
  readonly facts: PackagingFacts;
}

export const packageKeyOf = ({ recordingId, id }: PackagingJob): string => objectsOf(recordingId) + id;

/** The key of the original file below a package. */
export const sourceKeyOf = (packageKey: string): string => `${packageKey}/source`;

/** `seconds` as they are stored. */
export const roundToMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;
