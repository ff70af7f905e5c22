import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../factories/workspace.js';
import { MINUTES } from '../support/chat-minutes.js';
import type { Client } from '../support/client.js';
import { Collector } from '../support/collector.js';
import { ChatRoute, json } from '../support/openai-chat.js';
import { OpenAiServer } from '../support/openai-server.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { createdWebhook } from '../support/webhooks.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const TITLE = 'Layoffs in March';
const [SERVER, CLIENT] = [2, 3];
const meeting = recording('Ada', {
  title: TITLE,
  transcript: {
    language: 'en',
    segments: [{ start: 0, end: 9, speaker: 'Ada', text: 'We agreed to close the ticket office in winter.' }],
  },
});

describe('with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  const route = new ChatRoute();
  let models: OpenAiServer;
  let collector: Collector;
  let receiver: WebhookReceiver;
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    [models, collector, receiver] = await Promise.all([
      OpenAiServer.start(route),
      Collector.start(),
      WebhookReceiver.start(),
    ]);
    const settings = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.server.base,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-token',
      OTEL_SERVICE_NAME: 'meetings',
      CHAT_URL: models.url,
      CHAT_MODEL: 'minutes-1',
      ALLOW_PRIVATE_ADDRESSES: 'true',
    };
    service = await startService(settings, { worker: true });
    await service.import({ users: [user('Ada')], recordings: [meeting] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([models.stop(), collector.server.stop(), receiver.stop()]);
  });

  const spanOf = (name: string, traceId: string) =>
    collector.ofTrace(traceId).find((span) => span.name === name);
  /** The trace of a request to an operation, which the caller asks to be part of one. */
  const traceOf = async (path: string, traceparent: string) => {
    const { headers } = await ada.get(path, { headers: { traceparent } });
    const requestId = headers.get('x-request-id');
    let traceId = '';
    await eventually(async () => {
      const span = collector.spans.find(({ attributes }) => attributes['mrs.request_id'] === requestId);
      expect(span).toBeDefined();
      traceId = span!.traceId;
    });
    return traceId;
  };

  it('a request, its job, the request to the model and the webhook are one trace, that of the caller', async () => {
    route.reply(json(MINUTES));
    await createdWebhook(ada, { url: receiver.url(), types: ['summary.*'] });
    const { status } = await ada.post(`/recordings/${meeting.id}/summary`, undefined, {
      headers: { traceparent: `00-${TRACE}-${SPAN}-01` },
    });
    expect(status).toBe(202);
    await eventually(async () => expect(receiver.types()).toContain('summary.completed'));
    const completed = receiver.received.find(({ body }) => body.type === 'summary.completed');
    expect(completed?.headers['traceparent']).toMatch(`00-${TRACE}-`);
    expect(models.requests[0]?.headers['traceparent']).toMatch(`00-${TRACE}-`);

    await eventually(async () => expect(spanOf('webhook delivery', TRACE)).toBeDefined());
    const request = spanOf('generateSummary', TRACE);
    expect(request).toMatchObject({
      parentSpanId: SPAN,
      kind: SERVER,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/recordings/:id/summary',
        'http.response.status_code': 202,
        'mrs.caller': 'key',
      },
      resource: { 'service.name': 'meetings', 'service.version': expect.any(String), 'mrs.role': 'api' },
    });
    expect(spanOf('authenticate', TRACE)?.parentSpanId).toBe(request?.spanId);
    const statements = collector.ofTrace(TRACE).filter(({ name }) => name.startsWith('statement '));
    expect(statements.map(({ name }) => name)).toContain('statement add-jobs');
    const job = spanOf('job summaries.summarize', TRACE);
    expect(job?.parentSpanId).toBe(request?.spanId);
    // Measured in a thread, which exports nothing.
    expect(spanOf('model chat', TRACE)).toMatchObject({ parentSpanId: job?.spanId, kind: CLIENT });
    expect(completed?.headers['traceparent']).toContain(spanOf('webhook delivery', TRACE)?.spanId);
    expect(collector.server.received[0]?.headers).toMatchObject({
      authorization: 'Bearer collector-token',
    });
  });

  it.each([
    ['nonsense', 'nonsense'],
    ['an id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a version that there is not', `ff-${TRACE}-${SPAN}-01`],
    ['another case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['more than there is room for', `00-${TRACE}-${SPAN}-01-${'x'.repeat(4_000)}`],
  ])('a traceparent with %s begins a trace of its own', async (_, traceparent) => {
    const traceId = await traceOf('/me', traceparent);
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(traceId).not.toBe(TRACE);
  });

  it('a caller who does not want to be traced is not', async () => {
    const unwanted = '1'.repeat(32);
    await ada.get('/me', { headers: { traceparent: `00-${unwanted}-${SPAN}-00` } });
    await traceOf('/me', '');
    expect(collector.ofTrace(unwanted)).toEqual([]);
  });

  it('says nothing of what was asked for, by whom and about what', async () => {
    await traceOf(`/recordings?search=Layoffs&limit=1`, '');
    const sent = collector.server.received.map(({ body }) => body.toString()).join();
    for (const secret of [keyOf('Ada'), 'Layoffs', 'search=', TITLE, 'ticket office', 'collector-token'])
      expect(sent).not.toContain(secret);
  });
});

describe('a collector that hangs', () => {
  it('delays neither a request nor the stop', async () => {
    const collector = await Collector.start();
    const unanswered: ServerResponse[] = [];
    collector.server.answers = [(response) => void unanswered.push(response)];
    const service = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.server.base });
    await service.import({ users: [user('Ada')] });
    const begun = performance.now();
    expect((await service.api.as(keyOf('Ada')).get('/me')).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(1_000);
    await eventually(async () => expect(collector.server.received).not.toHaveLength(0));
    const stopped = performance.now();
    await service.stop();
    expect(performance.now() - stopped).toBeLessThan(3_000);
    // So that nothing is tried again.
    for (const response of unanswered) response.writeHead(400).end();
    await collector.server.stop();
  });
});
