import type { S3Settings } from '../config/settings.js';
import { s3ErrorIn } from './s3-errors.js';

/** One line that names the setting to check. Does not contain the secret, and neither do errors from S3. */
export function explainS3(error: unknown, { bucket, endpoint, region }: S3Settings): string {
  const failure = s3ErrorIn(error);
  const where = endpoint === undefined ? `Amazon S3 (${region})` : new URL(endpoint).origin;
  switch (failure?.code) {
    case 'NoSuchBucket':
      return `S3_BUCKET: there is no bucket "${bucket}" at ${where}; create it first`;
    case 'InvalidBucketName':
      return `S3_BUCKET: "${bucket}" is not a valid bucket name`;
    case 'InvalidAccessKeyId':
      return `S3_ACCESS_KEY_ID: unknown at ${where}`;
    case 'SignatureDoesNotMatch':
      return `S3_SECRET_ACCESS_KEY: does not match S3_ACCESS_KEY_ID at ${where}`;
    case 'CredentialsProviderError':
      return 'S3_ACCESS_KEY_ID: not set, and the AWS SDK found no other credentials';
    case 'AccessDenied':
      return `S3_BUCKET: access to "${bucket}" at ${where} was denied: ${failure.message}`;
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
      return `S3_REGION: "${bucket}" is not in ${region}: ${failure.message}`;
    default: {
      const setting = failure?.isAnswer ? 'S3_BUCKET' : 'S3_ENDPOINT';
      return `${setting}: cannot use "${bucket}" at ${where}: ${failure?.message ?? String(error)}`;
    }
  }
}
