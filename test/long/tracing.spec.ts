import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const ENTRYPOINTS = fileURLToPath(new URL('../../dist/src/entrypoints/', import.meta.url));

/** The packages of OpenTelemetry that a process has loaded which imports this entry point, and then runs `more`. */
async function loadedBy(entryPoint: string, more = ''): Promise<string[]> {
  const program = `
    import { createRequire } from 'node:module';
    const loaded = await import(${JSON.stringify(`${ENTRYPOINTS}${entryPoint}.js`)});
    ${more}
    const files = Object.keys(createRequire(import.meta.url).cache);
    const names = files.flatMap((file) => /node_modules.@opentelemetry.([\\w-]+)/.exec(file)?.[1] ?? []);
    console.log(JSON.stringify([...new Set(names)]));
    process.exit(0);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  return JSON.parse(stdout) as string[];
}

const start = (traces: object | null) =>
  `await loaded.startTracing({ traces: ${JSON.stringify(traces)} }, 'api', { warn() {} });`;

describe('without OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('an API process and a worker load nothing but the interface of OpenTelemetry', async () => {
    expect(await loadedBy('start-api')).toEqual(['api']);
    expect(await loadedBy('start-worker')).toEqual(['api']);
    expect(await loadedBy('start-tracing', start(null))).toEqual(['api']);
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SERVICE_NAME: 'meetings' };
    expect(await loadedBy('start-tracing', start(traces))).toContain('exporter-trace-otlp-http');
  });

  it('the process in front of the others loads not even that', async () => {
    expect(await loadedBy('run-service')).toEqual([]);
  });
});
