import type { Request } from 'express';

const MEDIA = /^\/+media\//i;

/** Whether a request is for media, whether or not there is any at its URL. */
export const isMedia = ({ path }: Request): boolean => MEDIA.test(path);

/**
 * Media plays on any site, whatever `CORS_ORIGINS` says: the signed URL is the permission, and no cookie adds anything to it.
 * Players read sizes and ranges to seek, and the status of a refusal to request another URL.
 */
export const MEDIA_CORS = {
  origin: '*',
  methods: ['GET', 'HEAD'],
  exposedHeaders: [
    'Accept-Ranges',
    'Allow',
    'Content-Disposition',
    'Content-Length',
    'Content-Range',
    'ETag',
    'Last-Modified',
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'Retry-After',
    'X-Request-Id',
  ],
  maxAge: 86_400,
};
