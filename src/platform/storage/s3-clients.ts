import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { S3Settings } from '../config/settings.js';
import { STALLED_MS } from './stall-guard.js';

const CONNECT_MS = 5_000;
const ATTEMPTS = 3;
/** Uploads and downloads of one process at a time; more wait. */
const SOCKETS = 200;

// Which version of the SDK runs is pinned, and nothing that whoever starts the service could change.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

export interface S3Clients {
  readonly main: S3Client;
  /** For `GetObject`. Its sockets may rest: whoever reads may be slow, and that is no fault of the store. */
  readonly reader: S3Client;
  /** Signs addresses for the endpoint that clients reach; sends nothing. */
  readonly signer: S3Client;
}

export function openS3Clients(settings: S3Settings): S3Clients {
  const common: S3ClientConfig = {
    region: settings.region,
    ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint, forcePathStyle: true }),
    ...(settings.credentials === undefined ? {} : { credentials: settings.credentials }),
    maxAttempts: ATTEMPTS,
    // Not every S3 knows the newer checksums, and a presigned address would carry them.
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
