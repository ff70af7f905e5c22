import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProjectFixture } from '../support/project-fixture.js';

const MEDIA = {
  'src/modules/media/media.module.ts': `import { service } from './media.service.js';
import { addresses } from './signing/addresses.service.js';
export const MODULE = { exports: [service, addresses] };
`,
  'src/modules/media/media.service.ts': 'export const service = 1;\n',
  'src/modules/media/signing/addresses.service.ts': 'export const addresses = 1;\n',
  'src/modules/media/keys.service.ts': 'export const keys = 1;\n',
  'src/modules/media/public/media.presenter.ts': 'export const presented = 1;\n',
  'src/modules/media/entities/file.entity.ts': 'export const file = 1;\n',
  'src/modules/media/delivery/delivery.module.ts': 'export const MODULE = { exports: [] };\n',
  'src/modules/media/delivery/delivery.service.ts': 'export const delivery = 1;\n',
};

const FINE = {
  'src/modules/agenda/agenda.service.ts': `import { service } from '../media/media.service.js';
import { presented } from '../media/public/media.presenter.js';
import { file } from '../media/entities/file.entity.js';
export const one = [service, presented, file];
`,
};

/** Enough for a busy machine. */
const CHECK_MS = 60_000;

/** The files that contain each mistake, and the message, with its location and what to do instead. */
const MISTAKES: Readonly<Record<string, { files: Record<string, string>; message: string }>> = {
  'a file that another module keeps to itself': {
    files: {
      'src/modules/notes/notes.service.ts': `// First line\nexport { keys } from '../media/keys.service.js';\n`,
    },
    message: `src/modules/notes/notes.service.ts:2 imports src/modules/media/keys.service.ts
  From another module, import only its module file, the providers it exports, its \`public/\` folder and its entities. Use src/modules/media/media.service.ts or src/modules/media/signing/addresses.service.ts, and import its module in yours.
`,
  },
  'a file that an inner module keeps to itself': {
    files: {
      'src/modules/media/inner.ts': `import { delivery } from './delivery/delivery.service.js';\nexport const inner = delivery;\n`,
    },
    message: `src/modules/media/inner.ts:1 imports src/modules/media/delivery/delivery.service.ts
  From another module, import only its module file, the providers it exports, its \`public/\` folder and its entities. Use a provider that src/modules/media/delivery exports (there is none yet), and import its module in yours.
`,
  },
  'a library that uses the platform': {
    files: {
      'src/platform/clock.ts': 'export const clock = 1;\n',
      'src/lib/words/words.ts': `import { clock } from '../../platform/clock.js';\nexport const words = clock;\n`,
    },
    message: `src/lib/words/words.ts:1 imports src/platform/clock.ts (lib-is-independent)
  A library could be a package of its own: it knows nothing of this service. Pass what it needs as an argument, or move the file to src/platform or src/modules.
`,
  },
  'a library that uses Nest': {
    files: {
      'src/lib/words/provider.ts': `import { Injectable } from '@nestjs/common';\nexport const provider = Injectable;\n`,
    },
    message: `(lib-has-no-framework)
  A library could be a package of its own: it knows neither Nest nor TypeORM.
`,
  },
  'a library that uses a database': {
    files: {
      'src/lib/words/stored.ts': `import { Client } from 'pg';\nexport const stored = Client;\n`,
    },
    message: `(lib-has-no-database)
  A library uses no database, except the one that starts it.
`,
  },
  'a long file': {
    files: { 'src/modules/notes/long.ts': 'export const one = 1;\n' + '// A line.\n'.repeat(250) },
    message: `src/modules/notes/long.ts has 251 lines, more than 250
  Split it by what it does.
`,
  },
  'a full folder': {
    files: Object.fromEntries(
      Array.from({ length: 26 }, (_, index) => [
        `src/policy/rules/rule-${index}.ts`,
        'export const rule = 1;\n',
      ]),
    ),
    message: `src/policy/rules has 26 files, more than 25
  Group those that belong together in folders of their own.
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
      'src/platform/left/left.ts': `import { right } from '../right/right.js';\nexport const left = right;\n`,
      'src/platform/left/other.ts': `export const other = 1;\n`,
      'src/platform/right/right.ts': `export const right = 1;\n`,
      'src/platform/right/more.ts': `\nimport { other } from '../left/other.js';\nexport const more = other;\n`,
    },
    message: `Import cycle between folders:
  src/platform/left/left.ts:1 imports src/platform/right/right.ts
  src/platform/right/more.ts:2 imports src/platform/left/other.ts
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
