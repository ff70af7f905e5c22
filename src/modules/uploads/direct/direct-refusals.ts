const UPLOAD_URL = 'upload to the upload_url, or with PUT /api/v1/recordings/{id}/media';

export const NOT_DIRECT = `direct: this service takes no direct uploads, as its files are encrypted or not in S3; ${UPLOAD_URL} instead.`;
export const NOT_EMPTY = `This upload has received bytes that were not uploaded directly. Continue at its upload_url, or cancel it with DELETE /api/v1/uploads/{id} and open another.`;
export const NO_PARTS =
  'No parts were announced for a direct upload. Get their URLs with direct and parts of POST /api/v1/recordings/{id}/upload.';

/** Numbers in a message. */
const SHOWN = 20;

/** `numbers`: the parts that the store does not have. */
export function missingParts(numbers: readonly number[], count: number): string {
  const more = numbers.length - SHOWN;
  const shown = numbers.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `Of the ${count} parts, these are not stored: ${shown}. Get their URLs, upload them, and complete again; S3 refuses a part whose size or SHA-256 is not as announced.`;
}
