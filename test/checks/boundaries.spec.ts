import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProjectFixture } from '../support/project-fixture.js';

const MEDIA = {
  'src/modules/media/media.service.ts': 'export const service = 1;\n',
  'src/modules/media/signing/addresses.service.ts': 'export const addresses = 1;\n',
  'src/modules/media/keys.ts': 'export const keys = 1;\n',
};

/** On a machine that has much else to do. */
const CHECK_MS = 60_000;

/** By what is wrong, the files that make it so and what is said, where and with what to do instead. */
const MISTAKES: Readonly<Record<string, { files: Record<string, string>; said: string }>> = {
  'a file behind the doors of another module': {
    files: {
      'src/modules/notes/notes.service.ts': `// First line\nexport { keys } from '../media/keys.js';\n`,
    },
    said: `src/modules/notes/notes.service.ts:2 imports src/modules/media/keys.ts (modules-through-their-doors)
  Another module is reached by its *.module, *.service, *.presenter and *.error files, its dto/ and its entities/. Ask src/modules/media/media.service.ts or src/modules/media/signing/addresses.service.ts, and import its module in yours.
`,
  },
  'an example behind them': {
    files: {
      'test/examples/notes/notes.service.ts': `import { keys } from '../../../src/modules/media/keys.js';\nexport const one = keys;\n`,
    },
    said: `test/examples/notes/notes.service.ts:1 imports src/modules/media/keys.ts (examples-through-the-doors)
  The example of docs/extending.md keeps to what holds for every module: another one is reached by its *.module, *.service, *.presenter and *.error files, its dto/ and its entities/. Ask src/modules/media/media.service.ts or`,
  },
  'a list of exports': {
    files: { 'src/modules/notes/list.ts': `const one = 1;\n\nexport { one };\n` },
    said: `src/modules/notes/list.ts:3 exports a list
  Write \`export\` before each declaration, and import each name from the file that declares it.
`,
  },
  'two files that need each other': {
    files: {
      'src/policy/one.ts': `import { two } from './two.js';\nexport const one = () => two;\n`,
      'src/policy/two.ts': `import { one } from './one.js';\nexport const two = () => one;\n`,
    },
    said: `src/policy/one.ts:1 -> src/policy/two.ts -> src/policy/one.ts (no-circular)
  A file that needs a file that needs it cannot be understood alone. Move what both need into a third file that imports neither; \`import type\` is fine.
`,
  },
  'two folders that need each other': {
    files: {
      'src/modules/left/left.service.ts': `import { right } from '../right/right.service.js';\nexport const left = right;\n`,
      'src/modules/left/other.service.ts': `export const other = 1;\n`,
      'src/modules/right/right.service.ts': `export const right = 1;\n`,
      'src/modules/right/more.service.ts': `\nimport { other } from '../left/other.service.js';\nexport const more = other;\n`,
    },
    said: `Folders in a circle:
  src/modules/left/left.service.ts:1 imports src/modules/right/right.service.ts
  src/modules/right/more.service.ts:2 imports src/modules/left/other.service.ts
  None of them can be understood alone. Move what both sides need into a folder of its own that imports neither, or let the caller hand it over as an argument.
`,
  },
  'policy that reads files': {
    files: {
      'src/policy/files.ts': `import { readFileSync } from 'node:fs';\nexport const one = readFileSync;\n`,
    },
    said: `src/policy/files.ts:1 imports fs (policy-does-no-io)
  Policy does no I/O. Take what it decides by as an argument: the service that asks loads it.
`,
  },
  'policy that asks a service': {
    files: {
      'src/policy/asks.ts': `import { service } from '../modules/media/media.service.js';\nexport const one = service;\n`,
    },
    said: `src/policy/asks.ts:1 imports src/modules/media/media.service.ts (policy-is-pure)
  Policy reads the clock and the contract, nothing else. Take what it decides by as an argument: the service that asks loads it.
`,
  },
  'a platform that knows recordings': {
    files: {
      'src/platform/http/paths.ts': `import { service } from '../../modules/media/media.service.js';\nexport const one = service;\n`,
    },
    said: `src/platform/http/paths.ts:1 imports src/modules/media/media.service.ts (platform-knows-nothing-of-ours)
  The platform would serve any API. Let it take what it needs as an argument or an option of its module, as \`everyRequest\` takes \`maskPath\`, or move the file to src/modules.
`,
  },
  'a contract that hangs on a module': {
    files: {
      'src/contract/kinds.ts': `import { service } from '../modules/media/media.service.js';\nexport const one = service;\n`,
    },
    said: `src/contract/kinds.ts:1 imports src/modules/media/media.service.ts (contract-stands-on-platform-alone)
  What clients rely on changes with none of what serves them. Declare it in src/contract, and import it from there elsewhere.
`,
  },
  'a service that knows tests': {
    files: {
      'src/modules/notes/tested.ts': `import { help } from '../../../test/examples/help.js';\nexport const one = help;\n`,
      'test/examples/help.ts': 'export const help = 1;\n',
    },
    said: `src/modules/notes/tested.ts:1 imports test/examples/help.ts (the-service-knows-no-tests)
  Tests are not there when the service runs. Move what both need into src.
`,
  },
  'a module that reaches up': {
    files: {
      'src/modules/notes/up.ts': `import { start } from '../../entrypoints/start.js';\nexport const one = start;\n`,
      'src/entrypoints/start.ts': 'export const start = 1;\n',
    },
    said: `src/modules/notes/up.ts:1 imports src/entrypoints/start.ts (nothing-reaches-up)
  Entry points start the service; nothing in it knows them. Move what is needed into src/platform (how it runs) or src/modules (what it does).
`,
  },
};

describe('boundaries', () => {
  const projects: ProjectFixture[] = [];
  let status: number | null;
  let output: string;

  function check(...files: Record<string, string>[]) {
    const project = new ProjectFixture(Object.assign({}, MEDIA, ...files) as Record<string, string>);
    projects.push(project);
    return project.check('boundaries');
  }

  beforeAll(async () => {
    ({ status, output } = await check(...Object.values(MISTAKES).map(({ files }) => files)));
  }, CHECK_MS);
  afterAll(() => projects.forEach((project) => project.remove()));

  it('fail', () => {
    expect(status).toBe(1);
  });

  it.each(Object.entries(MISTAKES))('refuse %s, and say what to do', (_, { said }) => {
    expect(output).toContain(said);
  });

  it(
    'take what goes through the doors',
    async () => {
      const notes = `import { service } from '../media/media.service.js';\nexport const one = service;\n`;
      expect(await check({ 'src/modules/notes/notes.service.ts': notes })).toEqual({ status: 0, output: '' });
    },
    CHECK_MS,
  );
});
