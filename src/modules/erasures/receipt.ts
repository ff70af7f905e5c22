import { createHash } from 'node:crypto';
import { canonicalJson } from '../../lib/canonical-json.js';
import type { ErasureReceipt } from './entities/erasure.entity.js';

/** The hash of a receipt, whatever hash it has itself, in hexadecimal digits. */
export const hashOfReceipt = (receipt: Partial<ErasureReceipt>): string =>
  createHash('sha256')
    .update(canonicalJson({ ...receipt, hash: undefined }))
    .digest('hex');

/** A receipt with its hash. */
export const sealed = (content: Omit<ErasureReceipt, 'hash'>): ErasureReceipt => ({
  ...content,
  hash: hashOfReceipt(content),
});
