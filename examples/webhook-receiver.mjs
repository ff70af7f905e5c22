// Receives a webhook, and prints what happened; with CHAT_URL, also posts it to the incoming webhook of a chat.
//   WEBHOOK_SECRET=whsec_... PORT=8080 node webhook-receiver.mjs
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, WebhookVerificationError } from 'meeting-recording-client';

const { WEBHOOK_SECRET = '', CHAT_URL, PORT = '8080' } = process.env;
if (!WEBHOOK_SECRET) {
  console.error('Usage: WEBHOOK_SECRET=whsec_... [PORT=8080] node webhook-receiver.mjs');
  process.exit(2);
}

createServer((request, response) => void receive(request, response)).listen(Number(PORT));

async function receive(request, response) {
  try {
    const event = await verifyWebhook(await buffer(request), request.headers, WEBHOOK_SECRET);
    response.writeHead(204).end();
    await tell(messageOf(event));
  } catch (error) {
    if (!response.headersSent)
      response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end();
    console.error(error);
  }
}

/** @param {import('meeting-recording-client').Event} event */
function messageOf({ type, data }) {
  const title = 'recording' in data && data.recording ? data.recording.title : '';
  if (type === 'summary.completed') return `The summary of "${title}" is ready.`;
  if (type === 'recording.failed') return `"${title}" could not be processed.`;
  return `${type} ${title}`.trim();
}

async function tell(text) {
  console.log(text);
  if (!CHAT_URL) return;
  const headers = { 'Content-Type': 'application/json' };
  await fetch(CHAT_URL, { method: 'POST', headers, body: JSON.stringify({ text }) });
}
