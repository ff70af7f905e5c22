/** Sends a body of JSON. */
export function send(response, status, body) {
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
  });
  response.end(bytes);
}
