import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { serveMetrics } from '../../../src/entrypoints/serve-metrics.js';
import { INSTALLATION_METRICS } from '../../../src/modules/metrics/installation-metrics.service.js';
import { parseSettings, StartError, type Settings } from '../../../src/platform/config/settings.js';
import { REGISTRY } from '../../../src/platform/telemetry/metrics.js';
import { AppLogger } from '../../../src/platform/logging/app-logger.js';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { DOCUMENTED, seriesOf, valueOf } from '../../support/metrics.js';
import { freePort } from '../../support/process.js';
import { startService, type TestService } from '../../support/service.js';

/** The service, whose modules all test files of a process share, has counted what they did. */
async function forgetOtherTests(): Promise<void> {
  await REGISTRY.metrics();
  REGISTRY.resetMetrics();
}

const TOKEN = 'a token that nobody guesses, of 44 characters';
const HERE = { role: 'api', number: 1, child: null } as const;

describe('GET /metrics', () => {
  let service: TestService;
  let settings: Settings;
  let stopMetrics: () => void;

  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_ANONYMOUS_PER_MINUTE: '8' });
    await service.import({ users: [user('Ada')], recordings: [recording('Ada')] });
    const port = String(await freePort());
    settings = parseSettings({ METRICS_PORT: port, METRICS_TOKEN: TOKEN, LOG_LEVEL: 'silent' });
    stopMetrics = await serveMetrics(settings, new AppLogger('silent', process.stdout), () => [HERE]);
    await forgetOtherTests();
  });
  afterAll(async () => {
    stopMetrics();
    await service.stop();
  });

  const get = (path: string, authorization?: string, method = 'GET'): Promise<Response> =>
    fetch(`http://127.0.0.1:${settings.metrics!.port}${path}`, {
      method,
      headers: authorization === undefined ? {} : { authorization },
    });
  const scrape = async (): Promise<string> => (await get('/metrics', `Bearer ${TOKEN}`)).text();
  /** Requests are counted once their connection is done with the reply. */
  const settled = (): Promise<void> => sleep(50);

  it('counts requests by operation, status and kind of caller, and what a caller writes is in no label', async () => {
    const hostile = 'hostile"} 1\n';
    const headers = { 'User-Agent': 'hostile-agent', 'X-Request-Id': 'hostile-id' };
    const ada = service.api.as(keyOf('Ada'));
    for (let sent = 0; sent < 3; sent += 1) await ada.get('/recordings?search=hostile', { headers });
    await ada.post('/recordings', { title: hostile }, { headers });
    await ada.get(`/recordings/${encodeURIComponent(hostile)}`);
    for (let sent = 0; sent < 2; sent += 1) await service.api.get('/me');
    await service.api.as(keyOf('hostile')).get('/me');
    await service.api.get('//hostile-path');
    await settled();
    const text = await scrape();
    const counted = (labels: string): number | undefined =>
      valueOf(text, `mrs_http_requests_total{${labels}}`);
    expect(counted('operation="listRecordings",status="200",caller="key"')).toBe(3);
    expect(counted('operation="createRecording",status="201",caller="key"')).toBe(1);
    expect(counted('operation="getRecording",status="404",caller="key"')).toBe(1);
    expect(counted('operation="getMe",status="401",caller="anonymous"')).toBe(3);
    expect(counted('operation="unknown",status="404",caller="anonymous"')).toBe(1);
    expect(valueOf(text, 'mrs_http_request_duration_seconds_count{operation="listRecordings"}')).toBe(3);
    expect(valueOf(text, 'mrs_sign_ins_refused_total{code="INVALID_API_KEY"}')).toBe(1);
    expect(text).not.toContain('hostile');
  });

  it('counts refusals by the limit that was reached', async () => {
    const before = valueOf(await scrape(), 'mrs_http_refusals_total{reason="rate_limit_anonymous"}') ?? 0;
    const replies = await Promise.all(Array.from({ length: 20 }, () => fetch(`${service.api.base}/nowhere`)));
    const refused = replies.filter(({ status }) => status === 429).length;
    expect(refused).toBeGreaterThan(0);
    const after = valueOf(await scrape(), 'mrs_http_refusals_total{reason="rate_limit_anonymous"}');
    expect(after).toBe(before + refused);
  });

  it('says how much waits in the database, which is asked once in ten seconds, and that it is away', async () => {
    const transaction = jest.spyOn(service.dataSource.manager, 'transaction');
    const clock = jest.spyOn(performance, 'now');
    const begun = Math.ceil(performance.now()) + 60_000;
    try {
      clock.mockReturnValue(begun);
      const text = await scrape();
      expect(valueOf(text, 'mrs_database_up')).toBe(1);
      // That of the recording that was created.
      expect(valueOf(text, 'mrs_uploads_open')).toBe(1);
      expect(valueOf(text, 'mrs_disk_free_bytes')).toBeGreaterThan(0);
      clock.mockReturnValue(begun + 9_999);
      await scrape();
      expect(transaction).toHaveBeenCalledTimes(1);
      // It hangs: the scrape does not, and no second connection is taken.
      transaction.mockReturnValue(new Promise(() => undefined));
      clock.mockReturnValue(begun + 10_000);
      const away = await scrape();
      expect(valueOf(away, 'mrs_database_up')).toBe(0);
      expect(valueOf(away, 'mrs_uploads_open')).toBeUndefined();
      clock.mockReturnValue(begun + 30_000);
      await scrape();
      expect(transaction).toHaveBeenCalledTimes(2);
    } finally {
      transaction.mockRestore();
      clock.mockRestore();
    }
  });

  it('shows the metrics that the documentation lists, and no others', async () => {
    const text = await scrape();
    const shown = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => ({ name, type }));
    const documented = DOCUMENTED.map(({ name, type }) => ({ name, type }));
    const gauges = Object.keys(INSTALLATION_METRICS).map((name) => ({ name, type: 'gauge' }));
    for (const metric of [...shown, ...gauges]) expect(documented).toContainEqual(metric);
    const names = new Set([...shown, ...gauges].map(({ name }) => name));
    expect(DOCUMENTED.filter(({ name }) => !names.has(name))).toEqual([]);
    const labels = seriesOf(text).flatMap((line) => [...line.matchAll(/(\w+)="/g)].map(([, label]) => label));
    const known = new Set(DOCUMENTED.flatMap((metric) => metric.labels));
    expect([...new Set(labels)].filter((label) => !known.has(label!))).toEqual(['le']);
  });

  it('requires the token, and says what it takes', async () => {
    for (const authorization of [undefined, TOKEN, `Bearer ${TOKEN}x`, `Basic ${btoa(`a:${TOKEN}`)}`]) {
      const reply = await get('/metrics', authorization);
      expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="metrics"']);
      expect(await reply.text()).toContain('METRICS_TOKEN');
    }
    const statuses = [get('/', `Bearer ${TOKEN}`), get('/metrics', `Bearer ${TOKEN}`, 'POST')];
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([404, 405]);
  });

  it('refuses to start on a port in use, and where others could read it without a token', async () => {
    const again = serveMetrics(settings, new AppLogger('silent', process.stdout), () => []);
    const { port } = settings.metrics!;
    await expect(again).rejects.toEqual(
      new StartError(`Port ${port} on 127.0.0.1 is already in use; set METRICS_PORT to another port`),
    );
    const open = { METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' };
    expect(() => parseSettings(open)).toThrow(
      /^Invalid setting: METRICS_HOST requires METRICS_TOKEN, unless/,
    );
    expect(parseSettings({ ...open, METRICS_TOKEN: TOKEN }).metrics?.host).toBe('0.0.0.0');
    expect(() => parseSettings({ METRICS_TOKEN: TOKEN })).toThrow(/METRICS_TOKEN require METRICS_PORT/);
    expect(() => parseSettings({ METRICS_PORT: '1', METRICS_TOKEN: 'short' })).toThrow(
      /^Invalid setting: METRICS_TOKEN must be at least 32 characters long$/,
    );
  });
});
