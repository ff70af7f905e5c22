import { describe, expect, it } from '@jest/globals';
import { affordableConnections } from '../../src/platform/http/connections/open-files.js';

describe('the number of connections that the limit on open files allows', () => {
  it.each([
    [1_024, 384],
    [65_536, 32_640],
    [100, 1],
    [Infinity, Infinity],
  ])('with %d open files is %d', (openFiles, connections) => {
    expect(affordableConnections(openFiles)).toBe(connections);
  });

  it('is known on this machine', () => {
    expect(affordableConnections()).toBeGreaterThan(1);
  });
});
