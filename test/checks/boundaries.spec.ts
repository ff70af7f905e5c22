import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProjectFixture } from '../support/project-fixture.js';

const MEDIA = {
  'src/modules/media/media.service.ts': 'export const service = 1;\n',
  'src/modules/media/signing/addresses.service.ts': 'export const addresses = 1;\n',
  'src/modules/media/keys.ts': 'export const keys = 1;\n',
};

const FINE = {
  'src/modules/agenda/agenda.service.ts': `import { service } from '../media/media.service.js';\nexport const one = service;\n`,
};

/** Enough for a busy machine. */
const CHECK_MS = 60_000;

/** The files that contain each mistake, and the message, with its location and what to do instead. */
const MISTAKES: Readonly<Record<string, { files: Record<string, string>; message: string }>> = {
  'an internal file of another module': {
    files: {
      'src/modules/notes/notes.service.ts': `// First line\nexport { keys } from '../media/keys.js';\n`,
    },
    message: `src/modules/notes/notes.service.ts:2 imports src/modules/media/keys.ts (modules-public-files)
  From another module, import only *.module, *.service, *.presenter and *.error files, dto/ and entities/. Use src/modules/media/media.service.ts or src/modules/media/signing/addresses.service.ts, and import its module in yours.
`,
  },
  'a cycle between two files': {
    files: {
      'src/policy/one.ts': `import { two } from './two.js';\nexport const one = () => two;\n`,
      'src/policy/two.ts': `import { one } from './one.js';\nexport const two = () => one;\n`,
    },
    message: `src/policy/one.ts:1 -> src/policy/two.ts -> src/policy/one.ts (no-circular)
  Files that import each other cannot be understood separately. Move what they share into a third file that imports neither; \`import type\` is fine.
`,
  },
  'a cycle between two folders': {
    files: {
      'src/modules/left/left.service.ts': `import { right } from '../right/right.service.js';\nexport const left = right;\n`,
      'src/modules/left/other.service.ts': `export const other = 1;\n`,
      'src/modules/right/right.service.ts': `export const right = 1;\n`,
      'src/modules/right/more.service.ts': `\nimport { other } from '../left/other.service.js';\nexport const more = other;\n`,
    },
    message: `Import cycle between folders:
  src/modules/left/left.service.ts:1 imports src/modules/right/right.service.ts
  src/modules/right/more.service.ts:2 imports src/modules/left/other.service.ts
  None of these folders can be understood on its own. Move what they share into a folder that imports none of them, or let the caller pass it as an argument.
`,
  },
  'policy that reads files': {
    files: {
      'src/policy/files.ts': `import { readFileSync } from 'node:fs';\nexport const one = readFileSync;\n`,
    },
    message: `src/policy/files.ts:1 imports fs (policy-does-no-io)
  Policy does no I/O. Pass what a decision needs as an argument; the calling service loads it.
`,
  },
  'a platform that uses a module': {
    files: {
      'src/platform/http/paths.ts': `import { service } from '../../modules/media/media.service.js';\nexport const one = service;\n`,
    },
    message: `src/platform/http/paths.ts:1 imports src/modules/media/media.service.ts (platform-is-independent)
  The platform is independent of what this API does. Pass what it needs as an argument or as an option of its module, as \`maskPath\` is passed to \`everyRequest\`, or move the file to src/modules.
`,
  },
  'a service that imports tests': {
    files: {
      'src/modules/notes/tested.ts': `import { help } from '../../../test/examples/help.js';\nexport const one = help;\n`,
      'test/examples/help.ts': 'export const help = 1;\n',
    },
    message: `src/modules/notes/tested.ts:1 imports test/examples/help.ts (no-imports-from-tests)
  Tests are not deployed with the service. Move shared code into src.
`,
  },
};

describe('boundaries', () => {
  let project: ProjectFixture;
  let status: number | null;
  let output: string;

  beforeAll(async () => {
    const mistakes = Object.values(MISTAKES).map(({ files }) => files);
    project = new ProjectFixture(Object.assign({}, MEDIA, FINE, ...mistakes) as Record<string, string>);
    ({ status, output } = await project.check('boundaries'));
  }, CHECK_MS);
  afterAll(() => project.remove());

  it('fail', () => {
    expect(status).toBe(1);
  });

  it.each(Object.entries(MISTAKES))('reject %s and say what to do instead', (_, { message }) => {
    expect(output).toContain(message);
  });

  it('accept an import of a public file', () => {
    for (const name of Object.keys(FINE)) expect(output).not.toContain(name);
  });
});
