import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';

/** The versions of the protocol: the current one, and the last with a handshake. */
export const ERAS = ['2026-07-28', '2025-11-25'] as const;
export type Era = (typeof ERAS)[number];

/** A client as programs with a language model have one. */
export async function connectMcp(base: string, key: string, era: Era = '2026-07-28'): Promise<McpAgent> {
  const client = new Client(
    { name: 'test-agent', version: '1.2.3' },
    { versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } } },
  );
  const headers = { Authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', base), { requestInit: { headers } }),
  );
  return new McpAgent(client);
}

/** Output of tools is loosely typed: each test states what it expects. */
type Output = ReturnType<typeof JSON.parse>;

export class McpAgent {
  constructor(readonly client: Client) {}

  call(name: string, input: object = {}): Promise<CallToolResult> {
    return this.client.callTool({ name, arguments: { ...input } });
  }

  /** The structured output of a call that succeeds. */
  async output(name: string, input: object = {}): Promise<Output> {
    const result = await this.call(name, input);
    if (result.isError) throw new Error(textOf(result));
    return result.structuredContent;
  }

  /** The text of a call that succeeds. */
  async text(name: string, input: object = {}): Promise<string> {
    const result = await this.call(name, input);
    if (result.isError) throw new Error(textOf(result));
    return textOf(result);
  }

  /** The text of a call that is refused. */
  async refusal(name: string, input: object = {}): Promise<string> {
    const result = await this.call(name, input);
    if (!result.isError) throw new Error(`not refused: ${textOf(result)}`);
    return textOf(result);
  }

  async tools(): Promise<readonly string[]> {
    const { tools } = await this.client.listTools();
    return tools.map(({ name }) => name);
  }
}

/** The text of a result. */
export const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
