/** The headers of any reply that scripts of other origins may read. */
export const EXPOSED_HEADERS = (
  'Accept-Ranges Allow Content-Disposition Content-Length Content-Range Deprecation ETag ' +
  'Idempotency-Replayed Link Location RateLimit-Limit RateLimit-Remaining RateLimit-Reset ' +
  'Retry-After Sunset Tus-Extension Tus-Max-Size Tus-Resumable Tus-Version Upload-Defer-Length ' +
  'Upload-Length Upload-Metadata Upload-Offset X-Request-Id'
).split(' ');
