import { limitedAddress } from '../../../platform/http/client-address.js';

/** How long a sign-in is remembered. */
export const SIGN_IN_MS = 86_400_000;

const MOST = 20_000;

/** Keys and the addresses that they were used from lately. The oldest are forgotten when there are too many. */
export class KnownSignIns {
  private readonly times = new Map<string, number>();

  /** An IPv6 address is known if its network is, as one client usually has all addresses of it. */
  has(keyId: string, address: string, now: Date): boolean {
    if (this.isKnown(`${keyId} ${address}`, now)) return true;
    const network = limitedAddress(address);
    return network !== address && this.isKnown(`${keyId} ${network}`, now);
  }

  add(keyId: string, address: string, now: Date): void {
    for (const where of new Set([address, limitedAddress(address)])) {
      this.times.delete(`${keyId} ${where}`);
      this.times.set(`${keyId} ${where}`, now.getTime());
    }
    while (this.times.size > MOST) this.times.delete(this.times.keys().next().value!);
  }

  private isKnown(id: string, now: Date): boolean {
    const since = this.times.get(id);
    return since !== undefined && now.getTime() - since < SIGN_IN_MS;
  }
}
