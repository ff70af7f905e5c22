import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { contentDisposition } from '../http/replies/content-disposition.js';
import type { Delivery, PresignedPut, StoredObject } from './object-store.js';

/** Range of S3's lifetime of presigned URLs, in seconds. */
const SIGNED_MAX_S = 604_800;
const SIGNED_MIN_S = 1;

type Place = Readonly<Record<'Bucket' | 'Key', string>>;

/** The URL is valid until `expiresAt`, but at most 7 days, and no longer than temporary credentials. */
export function signGet(signer: S3Client, place: Place, delivery: Delivery): Promise<string> {
  const { type, disposition, fileName, expiresAt } = delivery;
  const request = new GetObjectCommand({
    ...place,
    ResponseContentType: type,
    ResponseContentDisposition: contentDisposition(fileName, disposition),
  });
  return getSignedUrl(signer, request, { expiresIn: secondsUntil(expiresAt) });
}

/** The same. Its signature covers length and hash: nothing else can be stored at the URL, not even later. */
export async function signPut(
  signer: S3Client,
  place: Place,
  { size, sha256 }: StoredObject,
  expiresAt: Date,
): Promise<PresignedPut> {
  const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64');
  // Amazon promises to check the second, older S3 services only know the first: the hash in every signature, which
  // presigners leave out.
  const headers = { 'x-amz-content-sha256': sha256, 'x-amz-checksum-sha256': ChecksumSHA256 };
  const request = new PutObjectCommand({ ...place, ContentLength: size, ChecksumSHA256 });
  request.middlewareStack.add(
    (next) => (args) => {
      Object.assign((args.request as { readonly headers: object }).headers, headers);
      return next(args);
    },
    { step: 'build' },
  );
  const unhoistableHeaders = new Set(Object.keys(headers));
  const url = await getSignedUrl(signer, request, { expiresIn: secondsUntil(expiresAt), unhoistableHeaders });
  return { url, headers };
}

function secondsUntil(expiresAt: Date): number {
  const seconds = Math.floor((expiresAt.getTime() - Date.now()) / 1000);
  return Math.min(Math.max(seconds, SIGNED_MIN_S), SIGNED_MAX_S);
}
