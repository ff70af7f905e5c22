import { createHash } from 'node:crypto';

/**
 * SHA-256, in hexadecimal digits, of a value as JSON that is the same for equal values: members in the order of their
 * names, without white space.
 */
export const canonicalHash = (value: unknown): string =>
  createHash('sha256')
    .update(
      JSON.stringify(value, (_, given: unknown) =>
        typeof given === 'object' && given !== null && !Array.isArray(given)
          ? Object.fromEntries(Object.entries(given).toSorted(([one], [other]) => (one < other ? -1 : 1)))
          : given,
      ),
    )
    .digest('hex');
