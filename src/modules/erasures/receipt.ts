import { createHash } from 'node:crypto';
import { canonicalJson } from '../../lib/canonical-json.js';
import type { ErasureReceipt } from './entities/erasure.entity.js';

/** The hash of a receipt, whatever hash it has itself, in hexadecimal digits. */
export const hashOfReceipt = ({ hash: _, ...content }: Partial<ErasureReceipt>): string =>
  createHash('sha256').update(canonicalJson(content)).digest('hex');

/** A receipt with its hash. */
export const sealed = (content: Omit<ErasureReceipt, 'hash'>): ErasureReceipt => ({
  ...content,
  hash: hashOfReceipt(content),
});
