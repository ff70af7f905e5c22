/** The tests of random worlds and sequences of `test/security`, with more of them. */
process.env['FC_RUNS'] ??= '100';
await import('../security/visibility.property.e2e-spec.js');
await import('../security/search-consistency.e2e-spec.js');
await import('../security/events.property.e2e-spec.js');
