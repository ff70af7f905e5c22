import type { RawSettings } from './settings.schema.js';

/** How buckets of backups are reached: as that of the service, where nothing else is set. */
export const backupS3Settings = (raw: RawSettings) => ({
  endpoint: raw.BACKUP_S3_ENDPOINT ?? raw.S3_ENDPOINT,
  region: raw.BACKUP_S3_REGION ?? raw.S3_REGION,
  credentials:
    credentialsOf(raw.BACKUP_S3_ACCESS_KEY_ID, raw.BACKUP_S3_SECRET_ACCESS_KEY) ??
    credentialsOf(raw.S3_ACCESS_KEY_ID, raw.S3_SECRET_ACCESS_KEY),
});

const credentialsOf = (accessKeyId?: string, secretAccessKey?: string) =>
  accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;

export function s3Settings(raw: RawSettings) {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = raw;
  if (bucket === undefined) return null;
  return {
    bucket,
    endpoint: raw.S3_ENDPOINT,
    /** The endpoint in presigned URLs. */
    publicEndpoint: raw.S3_PUBLIC_ENDPOINT ?? raw.S3_ENDPOINT,
    presignedUrls: raw.S3_PRESIGNED_URLS,
    region: raw.S3_REGION,
    credentials: credentialsOf(accessKeyId, secretAccessKey),
  };
}
