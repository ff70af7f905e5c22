import { LIMITS } from '../../../contract/limits.js';

/** How many parts a file of this size has. */
export const partCount = (size: number): number => Math.ceil(size / LIMITS.directPart);

/** Bytes of a part of a file of this size. */
export const partSize = (size: number, number: number): number =>
  Math.min(LIMITS.directPart, size - (number - 1) * LIMITS.directPart);
