import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { DNS_LIMITS, publicNames } from '../../src/platform/outbound/outbound-addresses.js';

const A = 1;
const NOT_FOUND = 3;

const open: Socket[] = [];
afterEach(() => {
  jest.restoreAllMocks();
  open.splice(0).forEach((socket) => socket.close());
});

/**
 * A name server. `answer` gets the type of a question and returns an IPv4 address, the code of an error, or null for no
 * reply.
 */
async function nameServer(answer: (type: number) => string | number | null): Promise<string> {
  const socket = createSocket('udp4');
  open.push(socket);
  socket.on('message', (query, { port, address }) => {
    const reply = replyTo(query, answer(query.readUInt16BE(query.length - 4)));
    if (reply) socket.send(reply, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`;
}

/** The query without what follows the question, and at most one record. */
function replyTo(query: Buffer, answer: string | number | null): Buffer | null {
  if (answer === null) return null;
  const question = query.subarray(0, query.indexOf(0, 12) + 5);
  const reply = Buffer.from(question);
  reply.writeUInt16BE(typeof answer === 'number' ? 0x8180 | answer : 0x8180, 2);
  reply.writeUInt16BE(typeof answer === 'string' ? 1 : 0, 6);
  reply.writeUInt32BE(0, 8);
  if (typeof answer === 'number') return reply;
  const record = Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...answer.split('.').map(Number)]);
  return Buffer.concat([reply, record]);
}

const typeOf = (query: number): 'A' | 'AAAA' => (query === A ? 'A' : 'AAAA');

describe('names of public addresses', () => {
  it('are resolved by DNS, also with addresses of one family only', async () => {
    const server = await nameServer((type) => (typeOf(type) === 'A' ? '93.184.215.14' : 0));
    await expect(publicNames([server])('files.example.com')).resolves.toEqual([
      { address: '93.184.215.14', family: 4 },
    ]);
  });

  it('do not exist if DNS says so, whatever the hosts file of the machine says', async () => {
    const server = await nameServer(() => NOT_FOUND);
    await expect(publicNames([server])('localhost.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('keep no thread waiting, however long their name servers are silent', async () => {
    jest.replaceProperty(DNS_LIMITS, 'timeout', 250);
    const server = await nameServer(() => null);
    const ended: string[] = [];
    const names = Array.from({ length: 8 }, async (_, index) => {
      await publicNames([server])(`host-${index}.example.com`).catch(() => undefined);
      ended.push('name');
    });
    await stat(import.meta.filename);
    ended.push('file');
    await Promise.all(names);
    expect(ended[0]).toBe('file');
  });
});
