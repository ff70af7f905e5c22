import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DELIVERY_LIMITS } from '../../../src/modules/webhooks/delivery/delivery-request.js';
import { Webhook } from '../../../src/modules/webhooks/entities/webhook.entity.js';
import { WebhookSecretsService } from '../../../src/modules/webhooks/webhook-secrets.service.js';
import { keyOf, user } from '../../factories/workspace.js';
import type { Client } from '../../support/client.js';
import { eventually, type TestService } from '../../support/service.js';
import { type ReceiverBehaviour, WebhookReceiver } from '../../support/webhook-receiver.js';
import { allSent, createdWebhook, startWithSender } from '../../support/webhooks.js';

describe('a receiver that', () => {
  let service: TestService;
  let receiver: WebhookReceiver;
  let ada: Client;

  beforeAll(async () => {
    service = await startWithSender();
    await service.import({ users: [user('Ada')] });
    await allSent(service);
    ada = service.api.as(keyOf('Ada'));
  });
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.dataSource.query('DELETE FROM webhooks');
    await receiver.stop();
  });
  afterAll(() => service.stop());

  /** What came of a test that this receiver answers like this. */
  async function tested(behaviour: ReceiverBehaviour, url = receiver.url()) {
    receiver.behaviour = behaviour;
    const { id } = await createdWebhook(ada, { url, types: ['folder.deleted'] });
    const { body } = await ada.post(`/webhooks/${id}/test`);
    let found = body;
    await eventually(async () => {
      found = (await ada.get(`/webhooks/${id}/deliveries/${body.data.id}`)).body;
      expect(found.data.status).not.toBe('pending');
    });
    return found.data;
  }

  const endless = (
    response: { write: (text: string) => boolean; destroyed: boolean },
    text: string,
  ): void => {
    const timer = setInterval(() => {
      if (response.destroyed) clearInterval(timer);
      else response.write(text);
    }, 1);
  };

  it('redirects to a metadata service is not followed', async () => {
    const location = 'http://169.254.169.254/latest/meta-data/';
    const { status, attempts } = await tested({ status: 302, headers: { location } });
    expect(status).toBe('failed');
    expect(attempts).toMatchObject([{ response_status: 302, error: null }]);
    expect(receiver.received).toHaveLength(1);
  });

  it('sends an endless body is cut off, and its status counts', async () => {
    const { status, attempts } = await tested((response) => {
      response.writeHead(200);
      endless(response, 'x'.repeat(64_000));
    });
    expect(status).toBe('delivered');
    expect(attempts[0].response_body).toBe('x'.repeat(1024));
  });

  it('sends a gzip bomb is not unpacked, and its status counts', async () => {
    const body = gzipSync(Buffer.alloc(10_000_000));
    const { status, attempts } = await tested({
      status: 200,
      headers: { 'content-encoding': 'gzip' },
      body,
    });
    expect(status).toBe('delivered');
    expect(attempts).toMatchObject([{ response_status: 200, response_body: null, error: null }]);
  });

  it('sends a byte at a time is given up after 15 seconds', async () => {
    expect(DELIVERY_LIMITS).toMatchObject({ headersMs: 15_000, totalMs: 15_000 });
    for (const limit of ['headersMs', 'totalMs'] as const) jest.replaceProperty(DELIVERY_LIMITS, limit, 600);
    const { status, attempts } = await tested((_, { socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
      const timer = setInterval(() => {
        if (socket.destroyed) clearInterval(timer);
        else socket.write('x');
      }, 50);
    });
    expect(status).toBe('failed');
    expect(attempts).toMatchObject([{ response_status: null, error: 'The server did not answer in time.' }]);
    expect(attempts[0].duration_ms).toBeGreaterThan(500);
  });

  it('was allowed once and no longer is, is not sent anything', async () => {
    const { id } = await createdWebhook(ada, { url: receiver.url(), types: ['folder.deleted'] });
    const url = 'http://169.254.169.254/latest/meta-data/';
    await service.dataSource.manager.update(
      Webhook,
      { id },
      service.app.get(WebhookSecretsService).sealEndpoint(id, { url, headers: {} }),
    );
    const { body } = await ada.post(`/webhooks/${id}/test`);
    await eventually(async () => {
      const seen = await ada.get(`/webhooks/${id}/deliveries/${body.data.id}`);
      expect(seen.body.data).toMatchObject({
        status: 'failed',
        error: expect.stringMatching(/^The URL must be/),
      });
    });
  });

  it('is a name for a private address gets nothing, unless these are allowed', async () => {
    const { status, attempts } = await tested({ status: 200 }, 'https://169.254.169.254.nip.invalid/');
    expect(status).toBe('failed');
    expect(attempts[0].error).toBe('The host name was not found, or its address is not allowed.');
  });
});
