import { BlockList, isIP } from 'node:net';

/** `private`: reachable with `ALLOW_PRIVATE_ADDRESSES` only; `forbidden`: never. */
export type AddressKind = 'public' | 'private' | 'forbidden';

type Range = readonly [network: string, bits: number];

/** The networks of a home or an office, and of this machine. */
const PRIVATE_V4: readonly Range[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
];
const PRIVATE_V6: readonly Range[] = [
  ['::1', 128],
  ['fc00::', 7],
];

const FORBIDDEN_V4: readonly Range[] = [
  ['0.0.0.0', 8],
  // Link-local, with the metadata services of most clouds.
  ['169.254.0.0', 16],
  // Metadata services elsewhere: Alibaba, Azure.
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  // Protocol assignments, with the metadata service of Oracle.
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  // Documentation and benchmarks.
  ['192.0.2.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved, broadcast.
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
const FORBIDDEN_V6: readonly Range[] = [
  // Metadata services: AWS, Google, Oracle, Scaleway.
  ['fd00:ec2::', 32],
  ['fd20:ce::', 32],
  ['fd00:c1::', 32],
  ['fd00:42::', 32],
  // Protocol assignments, with Teredo and benchmarks.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4: contains any IPv4 address.
  ['2002::', 16],
  ['3fff::', 20],
];

/** Only these of IPv6 are public, and not all of them. Anything else, such as an IPv4-mapped address, is refused. */
const UNICAST_V6: Range = ['2000::', 3];
/** How networks without IPv4 reach an IPv4 address, which is in the last 32 bits (RFC 6052). */
const NAT64: Range = ['64:ff9b::', 96];

const asNat64 = ([network, bits]: Range): Range => [`${NAT64[0]}${network}`, NAT64[1] + bits];

const PRIVATE = blockList(PRIVATE_V4, PRIVATE_V6);
const FORBIDDEN = blockList(FORBIDDEN_V4, [
  ...FORBIDDEN_V6,
  ...PRIVATE_V4.map(asNat64),
  ...FORBIDDEN_V4.map(asNat64),
]);
const PUBLIC_V6 = blockList([], [UNICAST_V6, NAT64]);

/** What an IP address is, in any spelling that `node:net` accepts. */
export function addressKind(address: string): AddressKind {
  const version = isIP(address);
  // An address with a zone belongs to a link.
  if (version === 0 || address.includes('%')) return 'forbidden';
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (FORBIDDEN.check(address, family)) return 'forbidden';
  if (version === 6 && isMapped(address)) return 'forbidden';
  if (PRIVATE.check(address, family)) return 'private';
  return version === 4 || PUBLIC_V6.check(address, family) ? 'public' : 'forbidden';
}

const MAPPED = blockList([], [['::ffff:0:0', 96]]);
const isMapped = (address: string): boolean => MAPPED.check(address, 'ipv6');

function blockList(v4: readonly Range[], v6: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of v4) list.addSubnet(network, bits, 'ipv4');
  for (const [network, bits] of v6) list.addSubnet(network, bits, 'ipv6');
  return list;
}
