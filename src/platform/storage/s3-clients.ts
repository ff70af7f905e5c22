import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { S3Settings } from '../config/settings.js';
import { STALLED_MS } from './stall-guard.js';

const CONNECT_MS = 5_000;
const ATTEMPTS = 3;
/** Concurrent uploads and downloads per process; further ones wait. */
const SOCKETS = 200;

// The SDK version is pinned, so this warning is nothing an operator could act on.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

export interface S3Clients {
  readonly main: S3Client;
  /** Sends `GetObject`, without a socket timeout, as a slow consumer is not a failure of the store. */
  readonly reader: S3Client;
  /** Signs URLs for the public endpoint; sends no requests. */
  readonly signer: S3Client;
}

export function openS3Clients(settings: S3Settings): S3Clients {
  const common: S3ClientConfig = {
    region: settings.region,
    ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint, forcePathStyle: true }),
    ...(settings.credentials === undefined ? {} : { credentials: settings.credentials }),
    maxAttempts: ATTEMPTS,
    // Not every S3 implementation supports the newer checksums, and presigned URLs would include them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
  const agent = { maxSockets: SOCKETS };
  const http = { connectionTimeout: CONNECT_MS, httpAgent: agent, httpsAgent: agent };
  const main = new S3Client({ ...common, requestHandler: { ...http, socketTimeout: STALLED_MS } });
  const reader = new S3Client({
    ...common,
    requestHandler: { ...http, socketTimeout: 0, requestTimeout: STALLED_MS, throwOnRequestTimeout: true },
  });
  const { endpoint, publicEndpoint } = settings;
  const signer =
    publicEndpoint === endpoint || publicEndpoint === undefined
      ? main
      : new S3Client({ ...common, endpoint: publicEndpoint, forcePathStyle: true });
  return { main, reader, signer };
}
