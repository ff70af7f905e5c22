import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';

const HEADER_BYTES = 12;
/** Type TXT, class IN, as in the question; the name is that of the question. */
const ANSWER = Buffer.from([0xc0, HEADER_BYTES, 0, 16, 0, 1, 0, 0, 0, 60]);
const NO_SUCH_NAME = 3;

/** A DNS server that this process asks as long as it runs. */
export class DnsServer {
  /** TXT records by name; other names do not exist. */
  readonly texts = new Map<string, string>();
  /** The names that it was asked for. */
  readonly asked: string[] = [];
  private readonly usual = dns.getServers();

  private constructor(private readonly socket: Socket) {
    socket.on('message', (query, from) => this.answer(query, from));
    dns.setServers([`127.0.0.1:${socket.address().port}`]);
  }

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsServer(socket);
  }

  stop(): void {
    dns.setServers(this.usual);
    this.socket.close();
  }

  private answer(query: Buffer, { port, address }: RemoteInfo): void {
    const labels: string[] = [];
    let at = HEADER_BYTES;
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.');
    this.asked.push(name);
    const text = this.texts.get(name);
    const [question, record] = [query.subarray(HEADER_BYTES, at + 5), Buffer.from(text ?? '')];
    const header = Buffer.from([0, 0, 0x81, text === undefined ? NO_SUCH_NAME : 0, 0, 1, 0, 1, 0, 0, 0, 0]);
    query.copy(header, 0, 0, 2);
    if (text === undefined) header[7] = 0;
    const length = Buffer.from([0, record.length + 1, record.length]);
    const answer = text === undefined ? [] : [ANSWER, length, record];
    this.socket.send(Buffer.concat([header, question, ...answer]), port, address);
  }
}
