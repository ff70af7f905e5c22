import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../factories/workspace.js';
import { commandLine } from '../support/command-line.js';
import { saying } from '../support/found.js';
import { McpAgent, type Era } from '../support/mcp.js';
import { startService, type TestService } from '../support/service.js';

const COMMAND_LINE = 'dist/src/entrypoints/cli/main.js';
const depot = recording('Ada', {
  title: 'Depot',
  transcript: saying('en', ['Grace', 'The depot needs 14 mechanics.']),
});

describe('mrs mcp', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')], recordings: [depot] });
  });
  afterAll(() => service.stop());

  const connect = async (key: string, era: Era): Promise<McpAgent> => {
    const client = new Client(
      { name: 'Büro', version: '1' },
      { versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } } },
    );
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [COMMAND_LINE, 'mcp', '--url', service.api.base],
        env: { ...process.env, MRS_API_KEY: key } as Record<string, string>,
      }),
    );
    return new McpAgent(client);
  };

  it('serves over standard input and output what /mcp does', async () => {
    const agent = await connect(keyOf('Ada'), '2026-07-28');
    expect(await agent.text('get_transcript', { recording_id: depot.id })).toContain(
      '[0:00] Grace: The depot needs 14 mechanics.',
    );
    await agent.output('update_recording', { recording_id: depot.id, title: 'Renamed' });
    const log = await service.api.as(keyOf('Ada')).get('/me/audit-log?type=recording.updated');
    expect(log.body.data).toMatchObject([{ client: 'B?ro/1', recording_id: depot.id }]);
    await agent.client.close();
  });

  it('also serves clients of 2025, and offers what the scopes of the key permit', async () => {
    const created = await service.api
      .as(keyOf('Ada'))
      .post('/api-keys', { name: 'agent', scopes: ['recordings:read', 'profile:read'] });
    const agent = await connect(created.body.data.key, '2025-11-25');
    expect(await agent.tools()).toEqual([
      'list_recordings',
      'get_recording',
      'get_summary',
      'list_action_items',
    ]);
    await agent.client.close();
  });

  it('reads what clients write instead of the letter of the protocol, and batches of 2025-03-26', async () => {
    const args = [COMMAND_LINE, 'mcp', '--url', service.api.base];
    const env = { ...process.env, MRS_API_KEY: keyOf('Ada') };
    const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse(String((await replies.next()).value));
    const write = (text: string | object) =>
      child.stdin.write(`${typeof text === 'string' ? text : JSON.stringify(text)}\n`);
    const request = (id: number, method: string, params: object | null = null) => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    });
    const hello = {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'raw', version: '0' },
    };
    write('starting ...');
    write(request(1, 'initialize', hello));
    expect(await next()).toMatchObject({ id: 1, result: { protocolVersion: '2025-03-26' } });
    write(request(2, 'tools/call', { name: 'list_organizations', arguments: null }));
    expect(await next()).toMatchObject({ id: 2, result: { structuredContent: { organizations: [] } } });
    write([
      request(3, 'ping'),
      request(4, 'tools/call', { name: 'list_recordings', arguments: { limit: '1', title: '' } }),
    ]);
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 3, result: {} });
    expect(await next()).toMatchObject({ id: 4, result: { structuredContent: { total: 1 } } });
    write([]);
    expect(await next()).toMatchObject({ id: null, error: { code: -32600 } });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each([
    ['no key', {}, 'base', 2, 'Set MRS_API_KEY'],
    ['a wrong key', { MRS_API_KEY: 'mrs_unknown00000000000000000000' }, 'base', 3, 'API key'],
    ['no service', { MRS_API_KEY: 'x' }, 'http://127.0.0.1:9', 5, 'http://127.0.0.1:9 cannot be reached'],
    ['no URL', { MRS_API_KEY: 'x' }, 'localhost', 2, '--url: must be an http or https URL, not "localhost"'],
  ])('ends at once with %s', async (_, env, url, status, message) => {
    const to = url === 'base' ? service.api.base : url;
    const ended = await commandLine(env, 'mcp', '--url', to);
    expect([ended.status, ended.stderr]).toEqual([status, expect.stringContaining(message)]);
  });
});
