import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { Program } from '../support/process.js';

const built = (path: string): string => pathToFileURL(resolve('dist/src', path)).href;

/** Few requests and jobs need them. With the service, each would take 2 to 25 MB of every process. */
const RARE = [
  '@aws-sdk',
  '@modelcontextprotocol',
  '@opentelemetry/sdk-trace-node',
  '@simplewebauthn',
  '@tus/server',
  'file-type',
  'mediabunny',
  'node-av',
  'nodemailer',
  'oidc-provider',
  'openai',
  'openid-client',
  'sanitize-html',
  'sharp',
  'sherpa-onnx-node',
  'yauzl',
];

it('the API and the worker start without the packages that are rarely needed', async () => {
  const source = `
    import { Session } from 'node:inspector';
    const session = new Session();
    session.connect();
    const loaded = [];
    session.on('Debugger.scriptParsed', ({ params }) => loaded.push(params.url));
    session.post('Debugger.enable');
    await import('${built('entrypoints/start-api.js')}');
    await import('${built('entrypoints/start-worker.js')}');
    console.log(loaded.join());
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source]);
  const { status, stdout } = await new Program(child).ended;
  expect(status).toBe(0);
  expect(stdout).toContain('/node_modules/typeorm/');
  expect(RARE.filter((name) => stdout.includes(`/node_modules/${name}/`))).toEqual([]);
});
