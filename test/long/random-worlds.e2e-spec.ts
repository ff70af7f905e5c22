/** The tests of random worlds and sequences of `test/security`, with more of them. */
process.env['FC_RUNS'] ??= '100';
await import('./visibility.property.e2e-spec.js');
await import('../security/search-consistency.e2e-spec.js');
await import('./events.property.e2e-spec.js');
await import('./keeping.property.e2e-spec.js');
