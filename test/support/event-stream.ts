import { eventually } from './service.js';
import { credential, type Client } from './client.js';

export interface Message {
  readonly id?: string;
  readonly event?: string;
  readonly data?: ReturnType<typeof JSON.parse>;
  readonly comment?: string;
}

/** An open stream of events, as a client of `text/event-stream` sees it. */
export class OpenStream {
  readonly messages: Message[] = [];
  isOpen = true;

  private constructor(
    readonly response: Response,
    private readonly abort: AbortController,
  ) {
    void this.read();
  }

  static async open(
    { base }: Client,
    key: string,
    query = '',
    headers: Record<string, string> = {},
  ): Promise<OpenStream> {
    const abort = new AbortController();
    const response = await fetch(`${base}/api/v1/events/stream${query}`, {
      headers: { ...credential(base, key), ...headers },
      signal: abort.signal,
    });
    return new OpenStream(response, abort);
  }

  /** Those of events: without comments and the time to reconnect. */
  get events(): readonly Message[] {
    return this.messages.filter(({ event }) => event !== undefined);
  }

  get types(): readonly string[] {
    return this.events.flatMap(({ event = [] }) => event);
  }

  async until(condition: (stream: this) => boolean, withinMs?: number): Promise<void> {
    await eventually(async () => {
      if (!condition(this))
        throw new Error(`The stream has ${JSON.stringify(this.messages)}, open: ${this.isOpen}`);
    }, withinMs);
  }

  close(): void {
    this.abort.abort();
  }

  private async read(): Promise<void> {
    let rest = '';
    try {
      for await (const text of this.response.body!.pipeThrough(new TextDecoderStream())) {
        const blocks = (rest + text).split('\n\n');
        rest = blocks.pop() ?? '';
        this.messages.push(...blocks.map(parse));
      }
    } catch {
      // Aborted, or broken: no longer open.
    }
    this.isOpen = false;
  }
}

function parse(block: string): Message {
  const lines = block
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]);
  const { '': comment, data, ...fields } = Object.fromEntries(lines) as Record<string, string>;
  return {
    ...fields,
    ...(comment === undefined ? {} : { comment }),
    ...(data === undefined ? {} : { data: JSON.parse(data) }),
  };
}
