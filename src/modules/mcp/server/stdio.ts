import { Readable } from 'node:stream';
import { STDIO_DEFAULT_MAX_BUFFER_SIZE, type Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { withoutNull } from './arguments.js';
import { InvalidRequest, requireBatch } from './batches.js';

/** Standard input and output of a client, read as `/mcp` reads its requests. Those of a batch are answered one by one. */
export function clientStdio(): Transport {
  let version = 'the one of this connection';
  const messages = async function* (): AsyncIterable<Buffer> {
    for await (const line of linesOf(process.stdin)) {
      try {
        for (const message of messagesOf(line, version)) yield Buffer.from(`${JSON.stringify(message)}\n`);
      } catch (error) {
        if (error instanceof InvalidRequest) process.stdout.write(`${JSON.stringify(error.reply)}\n`);
        // As for any line that is not a message: it may be what a script around the client has printed.
        else if (!(error instanceof SyntaxError)) throw error;
      }
    }
  };
  const transport = new StdioServerTransport(Readable.from(messages()));
  return Object.assign(transport, {
    setProtocolVersion: (negotiated: string) => void (version = negotiated),
  });
}

function messagesOf(line: string, version: string): readonly unknown[] {
  const sent: unknown = JSON.parse(line);
  if (Array.isArray(sent)) requireBatch(sent, version);
  return [sent].flat().map(withoutNull);
}

async function* linesOf(input: Readable): AsyncIterable<string> {
  let rest = '';
  for await (const chunk of input.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > STDIO_DEFAULT_MAX_BUFFER_SIZE) throw new Error('A message is too long');
    yield* lines;
  }
}
