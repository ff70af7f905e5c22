import { BlockList, isIP } from 'node:net';

/** A range of IP addresses in CIDR notation, such as `10.0.0.0/8`; a single address is the range of itself. */
interface AddressRange {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

const BITS = { ipv4: 32, ipv6: 128 } as const;

/** Returns null for text that is not a range. */
export function readAddressRange(text: string): AddressRange | null {
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return null;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (length === undefined) return { address, prefix: BITS[family], family };
  if (!/^\d{1,3}$/.test(length) || Number(length) > BITS[family]) return null;
  return { address, prefix: Number(length), family };
}

/** Whether an address is in one of the ranges. IPv4 addresses that are mapped to IPv6 are those of IPv4. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const [withoutZone = ''] = address.split('%');
  const version = isIP(withoutZone);
  return version !== 0 && listOf(ranges).check(withoutZone, version === 4 ? 'ipv4' : 'ipv6');
}

/** Whether each of the ranges is within one of the others. */
export const areWithinRanges = (ranges: readonly string[], others: readonly string[]): boolean =>
  ranges.every((text) => {
    const range = readAddressRange(text);
    return range !== null && others.some((other) => contains(other, range));
  });

function contains(text: string, { address, prefix, family }: AddressRange): boolean {
  const outer = readAddressRange(text);
  return outer?.family === family && outer.prefix <= prefix && listOf([text]).check(address, family);
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of ranges) {
    const range = readAddressRange(text);
    if (range) list.addSubnet(range.address, range.prefix, range.family);
  }
  return list;
}
