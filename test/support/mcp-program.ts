import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client,
  StreamableHTTPClientTransport,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { McpAgent } from './mcp.js';
import { until } from './process.js';

/** A program with a language model: it opens a browser, and waits on a port of this machine. */
export class McpProgram implements OAuthClientProvider {
  asked: URL | undefined;
  answer: URLSearchParams | undefined;
  private information: StoredOAuthClientInformation | undefined;
  private current: StoredOAuthTokens | undefined;
  private verifier = '';
  private discovered: OAuthDiscoveryState | undefined;

  private constructor(
    private readonly server: Server,
    readonly clientMetadataUrl?: string,
  ) {
    server.on('request', ({ url = '' }, response) => {
      if (url.startsWith('/callback')) this.answer = new URL(url, this.redirectUrl).searchParams;
      response.end('<title>Back</title>');
    });
  }

  static async start(clientMetadataUrl?: string): Promise<McpProgram> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new McpProgram(server, clientMetadataUrl);
  }

  get redirectUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/callback`;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Desk agent',
      redirect_uris: [this.redirectUrl],
      token_endpoint_auth_method: 'none',
    };
  }

  readonly clientInformation = () => this.information;
  readonly saveClientInformation = (given: StoredOAuthClientInformation): void => {
    this.information = given;
  };
  readonly tokens = () => this.current;
  readonly saveTokens = (given: StoredOAuthTokens): void => {
    this.current = given;
  };
  readonly invalidateCredentials = (): void => {
    this.current = undefined;
  };
  readonly saveCodeVerifier = (given: string): void => {
    this.verifier = given;
  };
  readonly codeVerifier = () => this.verifier;
  readonly discoveryState = () => this.discovered;
  readonly saveDiscoveryState = (given: OAuthDiscoveryState): void => {
    this.discovered = given;
  };
  readonly redirectToAuthorization = (url: URL): void => {
    this.asked = url;
  };

  /** Connects as far as it can: the person has not decided before `asked` is opened. */
  async connect(url: string): Promise<{ agent: McpAgent; transport: StreamableHTTPClientTransport }> {
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: this });
    const client = new Client({ name: 'desk', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(transport);
    return { agent: new McpAgent(client), transport };
  }

  /** Redeems what the browser has brought. */
  async finish(url: string): Promise<void> {
    await until('the browser to come back', () => this.answer !== undefined);
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: this });
    await transport.finishAuth(this.answer!);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
