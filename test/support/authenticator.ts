import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { done, type Client, type Reply } from './client.js';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: string | Uint8Array): string => Buffer.from(data).toString('base64url');

interface Options {
  readonly challenge: string;
  readonly user?: { readonly id: string };
}

/** What a test changes in order to be refused. */
export interface Forgery {
  readonly origin?: string;
  readonly challenge?: string;
  readonly counter?: number;
  readonly userHandle?: string;
}

/** A passkey with a counter, as a browser and a device would make and use it (ES256, no attestation). */
export class Authenticator {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private readonly id = randomBytes(16);
  private userHandle = '';
  private counter = 0;

  constructor(
    private readonly origin: string,
    private readonly rpId = new URL(origin).hostname,
  ) {}

  /** What the browser sends to add it. */
  create({ challenge, user }: Options, { origin }: Forgery = {}) {
    this.userHandle = user!.id;
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    const cose = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    );
    const length = Buffer.from([0, this.id.length]);
    const authData = Buffer.concat([this.data(0x45, 0), Buffer.alloc(16), length, this.id, cose]);
    const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', new Uint8Array(authData)],
    ]);
    return this.credential({
      clientDataJSON: base64url(this.client('webauthn.create', challenge, origin)),
      attestationObject: base64url(isoCBOR.encode(attestation)),
      transports: ['internal'],
    });
  }

  /** What the browser sends to sign in with it. */
  get(options: Options, { origin, challenge = options.challenge, counter, userHandle }: Forgery = {}) {
    this.counter = counter ?? this.counter + 1;
    const clientData = this.client('webauthn.get', challenge, origin);
    const authenticatorData = this.data(0x05, this.counter);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    return this.credential({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(sign('sha256', signed, this.keys.privateKey)),
      userHandle: userHandle ?? this.userHandle,
    });
  }

  private credential<Response extends object>(response: Response) {
    const id = base64url(this.id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private client(type: string, challenge: string, origin = this.origin): string {
    return JSON.stringify({ type, challenge, origin, crossOrigin: false });
  }

  private data(flags: number, counter: number): Buffer {
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter);
    return Buffer.concat([sha256(this.rpId), Buffer.from([flags]), counted]);
  }
}

/** Adds a passkey in a session. */
export async function addPasskey(
  page: Client,
  { passkey = new Authenticator(page.base), name = 'Laptop', ...forgery }: AddedPasskey = {},
): Promise<{ passkey: Authenticator; reply: Reply; options: Reply['body'] }> {
  const options = await done(page.post('//account/passkeys/options'));
  const credential = passkey.create(options, forgery);
  return { passkey, options, reply: await page.post('//account/passkeys', { name, credential }) };
}

interface AddedPasskey extends Forgery {
  readonly passkey?: Authenticator;
  readonly name?: string;
}
