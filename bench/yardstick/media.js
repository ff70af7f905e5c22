import { createReadStream, statSync } from 'node:fs';

const RANGE = /^bytes=(\d+)-(\d+)$/;

/** Serves one file, in full or a range of it, and nothing else. */
export function mediaSender(path) {
  const { size, mtimeMs } = statSync(path);
  const tag = `"${size}-${mtimeMs}"`;
  return (request, response) => {
    if (request.headers['if-none-match'] === tag) {
      response.writeHead(304, { ETag: tag });
      response.end();
      return;
    }
    const [, first, last] = RANGE.exec(request.headers.range ?? '') ?? [];
    const [start, end] = first === undefined ? [0, size - 1] : [Number(first), Number(last)];
    response.writeHead(first === undefined ? 200 : 206, {
      'Content-Type': 'video/mp4',
      'Content-Length': end - start + 1,
      'Content-Range': `bytes ${start}-${end}/${size}`,
      ETag: tag,
    });
    createReadStream(path, { start, end }).pipe(response);
  };
}
