/** The boundaries of the house: modules -> policy -> nothing of ours but the clock; modules -> platform; platform -> nothing of ours. */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment:
        'A file that needs a file that needs it cannot be understood alone. Type-only imports are fine.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'platform-knows-nothing-of-ours',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/(modules|policy|cli)/|^src/[^/]+\\.ts$' },
    },
    {
      name: 'policy-is-pure',
      comment: 'Policy reads the clock and nothing else.',
      severity: 'error',
      from: { path: '^src/policy/' },
      to: { path: '^src/', pathNot: '^src/(policy/|platform/clock\\.ts$)' },
    },
    {
      name: 'policy-does-no-io',
      severity: 'error',
      from: { path: '^src/policy/' },
      to: {
        path: '^node_modules|^node:|^(fs|http|net)$',
        pathNot: '^node_modules/@nestjs/common/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'modules-through-their-doors',
      comment: 'Another module is reached by its *.module, its *.service files and its entities.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: {
        path: '^src/modules/',
        pathNot: ['^src/modules/$1/', '\\.(module|service|entity)\\.ts$'],
      },
    },
    {
      name: 'nothing-reaches-up',
      comment: 'Entrances start the house; the house does not know them.',
      severity: 'error',
      from: { path: '^src/(modules|policy|platform)/' },
      to: { path: '^src/cli/|^src/[^/]+\\.ts$' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
