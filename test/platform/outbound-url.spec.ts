import { describe, expect, it } from '@jest/globals';
import { addressKind } from '../../src/platform/outbound/address-kinds.js';
import { readOutboundUrl } from '../../src/platform/outbound/outbound-url.js';

describe('an address', () => {
  it.each([
    ['93.184.215.14', 'public'],
    ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'public'],
    ['64:ff9b::5db8:d70e', 'public'],
    ['172.32.0.1', 'public'],
    ['100.128.0.1', 'public'],
    ['10.1.2.3', 'private'],
    ['127.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['::1', 'private'],
    ['fc00::1', 'private'],
    ['0.0.0.0', 'forbidden'],
    ['169.254.169.254', 'forbidden'],
    ['168.63.129.16', 'forbidden'],
    ['100.100.100.200', 'forbidden'],
    ['192.0.0.192', 'forbidden'],
    ['192.0.2.1', 'forbidden'],
    ['198.18.0.1', 'forbidden'],
    ['224.0.0.1', 'forbidden'],
    ['240.0.0.1', 'forbidden'],
    ['::', 'forbidden'],
    ['::ffff:127.0.0.1', 'forbidden'],
    ['0:0:0:0:0:ffff:0a00:0001', 'forbidden'],
    ['::ffff:0:10.0.0.1', 'forbidden'],
    ['64:ff9b::10.0.0.1', 'forbidden'],
    ['64:ff9b:1::5db8:d70e', 'forbidden'],
    ['100::1', 'forbidden'],
    ['2001::7f00:1', 'forbidden'],
    ['2001:db8::1', 'forbidden'],
    ['2002:7f00:1::', 'forbidden'],
    ['fd00:ec2::254', 'forbidden'],
    ['fe80::1', 'forbidden'],
    ['fe80::1%eth0', 'forbidden'],
    ['ff02::1', 'forbidden'],
    ['files.example.com', 'forbidden'],
    ['', 'forbidden'],
  ])('%s is %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind);
  });
});

describe('a URL from outside', () => {
  it.each([
    'https://files.example.com/a.mp4?signature=1',
    'https://files.example.com:443/a.mp4',
    'https://files.example.com:8443/a.mp4',
    'https://93.184.215.14/a.mp4',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/a.mp4',
    'https://bücher.example.com/a.mp4',
  ])('%s is accepted', (url) => {
    expect(readOutboundUrl(url, false)).not.toBeNull();
  });

  it.each([
    'http://files.example.com/a.mp4',
    'file:///etc/passwd',
    'files.example.com/a.mp4',
    '',
    'https://',
    'https://ada:secret@files.example.com/a.mp4',
    'https://files.example.com:22/a.mp4',
    'https://files.example.com:80/a.mp4',
    'https://files.example.com./a.mp4',
    'https://localhost/a.mp4',
    'https://files.localhost/a.mp4',
    'https://printer.local/a.mp4',
    'https://db.internal/a.mp4',
    'https://metadata.google.internal/a.mp4',
    'https://database/a.mp4',
    'https://127.0.0.1/a.mp4',
    'https://2130706433/a.mp4',
    'https://0x7f000001/a.mp4',
    'https://0177.0.0.1/a.mp4',
    'https://127.0.0.1./a.mp4',
    'https://１２７.0.0.1/a.mp4',
    'https://10.0.0.1/a.mp4',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/a.mp4',
    'https://[::ffff:127.0.0.1]/a.mp4',
    'https://[fe80::1%25eth0]/a.mp4',
    'https://[fd00:ec2::254]/a.mp4',
    'https://[64:ff9b::7f00:1]/a.mp4',
  ])('%s is refused', (url) => {
    expect(readOutboundUrl(url, false)).toBeNull();
  });

  it.each([
    'http://127.0.0.1:9000/a.mp4',
    'http://nas:8080/a.mp4',
    'https://nas.local/a.mp4',
    'http://192.168.1.20/a.mp4',
    'https://[fd12:3456::1]/a.mp4',
  ])('%s is accepted with ALLOW_PRIVATE_ADDRESSES', (url) => {
    expect(readOutboundUrl(url, true)).not.toBeNull();
    expect(readOutboundUrl(url, false)).toBeNull();
  });

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://100.100.100.200/',
    'http://[fd00:ec2::254]/',
    'http://metadata.google.internal/',
    'http://0.0.0.0:3000/',
    'http://ada:secret@nas/a.mp4',
    'http://nas:25/a.mp4',
  ])('%s is refused even then', (url) => {
    expect(readOutboundUrl(url, true)).toBeNull();
  });
});
