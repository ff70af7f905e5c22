/** The modules that the mistakes refer to. */
export const AROUND = {
  'src/modules/recordings/entities/recording.entity.ts': 'export class Recording { id = 1; }\n',
  'src/modules/recordings/recordings.service.ts': 'export class RecordingsService {}\n',
  'src/modules/recordings/recordings.module.ts':
    "import { RecordingsService } from './recordings.service.js';\nexport const MODULE = { exports: [RecordingsService] };\n",
  'src/modules/notes/entities/note.entity.ts': 'export class Note { id = 1; }\n',
  'src/modules/notes/prepared-query.ts':
    'export const preparedQuery = (...all: unknown[]): unknown => all;\n',
  'src/modules/notes/errors.ts': `export const rethrow = (error: unknown): never => { throw new Error('other', { cause: error }); };\n`,
};
const RECORDING = `import { Recording } from '../recordings/entities/recording.entity.js';`;
const NOTE = `import { Note } from './entities/note.entity.js';`;

const UNHANDLED = 'If the function that catches throws, nobody handles that';
const SQL = 'compose it with `sql` from src/platform/database/sql.ts, which binds whatever is interpolated';
const WAYS = 'There are three ways to the data.';
const USE = 'Use src/modules/recordings/recordings.service.ts instead, or add a method there';

/** Each in its own file, by default in a module; with the line on which lint reports it, and the message. */
export const MISTAKES: [what: string, source: string[], line: number, message: string, file?: string][] = [
  [
    'a Nest exception in the platform',
    [`import { GoneException } from '@nestjs/common';`, `export const note = () => new GoneException();`],
    1,
    "Instead of GoneException, throw new PlatformError('CODE') from src/platform/errors/platform-error.ts",
    'src/platform/http/mistake.ts',
  ],
  [
    'a Nest exception',
    [
      `import { NotFoundException } from '@nestjs/common';`,
      `export const note = () => { throw new NotFoundException(); };`,
    ],
    1,
    "Instead of NotFoundException, throw new DomainError('NOT_FOUND') from src/contract/domain-error.ts. Codes with their status and message are in src/contract/error-catalog.ts",
  ],
  [
    'limits that a text repeats',
    [
      'export const note = (at: Date) =>',
      '  `Kept for 30 days, 1 to 100 characters, until ${at.toISOString()}.`;',
    ],
    2,
    '"30 days", "1 to 100 characters" in a text can change: interpolate it from LIMITS in src/contract/limits.ts',
  ],
  [
    'an environment variable',
    [`export const key = process.env.API_KEY;`],
    1,
    'Disallowed usage of `process.env`',
  ],
  [
    'a floating promise',
    [`const save = async () => 1;`, `export function note(): void {`, `  save();`, `}`],
    3,
    'Promises must be awaited',
  ],
  [
    'a promise with a handler from elsewhere that is not awaited',
    [
      `const save = async () => 1;`,
      `const throwOther = (error: unknown): never => { throw new Error('other', { cause: error }); };`,
      `export function note(): void {`,
      `  save().catch(throwOther);`,
      `}`,
    ],
    4,
    UNHANDLED,
  ],
  [
    'a promise that is void although its handler throws',
    [
      `const save = async () => 1;`,
      `const asOther = (error: unknown): never => { throw new Error('other', { cause: error }); };`,
      `export const note = () => void save().catch(asOther);`,
    ],
    3,
    UNHANDLED,
  ],
  [
    'a promise with a handler that throws, before something that always runs',
    [
      `const save = async () => 1;`,
      `export function note(rethrow: (error: unknown) => never): void {`,
      `  save().catch((error: unknown) => rethrow(error)).finally(() => undefined);`,
      `}`,
    ],
    3,
    UNHANDLED,
  ],
  [
    'a promise with a handler that throws, kept while something else is awaited',
    [
      `import { rethrow } from './errors.js';`,
      `const read = async () => 1;`,
      `export async function note() {`,
      `  const row = read().catch(rethrow);`,
      `  return [await read(), await row];`,
      `}`,
    ],
    4,
    UNHANDLED,
  ],
  [
    'a promise that escapes the catch around it',
    [
      `const read = async () => 1;`,
      `export async function note() {`,
      `  try {`,
      `    return read();`,
      `  } catch {`,
      `    return 2;`,
      `  }`,
      `}`,
    ],
    4,
    'Returning an awaited promise is required in this context',
  ],
  [
    'a value in the text of a statement',
    [
      `export const find = (db: { query(text: string): unknown }, id: string) =>`,
      `  db.query(\`SELECT FROM notes WHERE id = '\${id}'\`);`,
    ],
    2,
    SQL,
    'src/modules/notes/mistake.hot.sql.ts',
  ],
  [
    'a statement that is not constant',
    [
      `export function find(db: { query(text: string): unknown }, id: string): unknown {`,
      `  const NOTES = "SELECT FROM notes WHERE id = '" + id + "'";`,
      `  return db.query(NOTES);`,
      `}`,
    ],
    3,
    SQL,
    'src/modules/notes/other-mistake.hot.sql.ts',
  ],
  [
    'a statement that goes none of the three ways',
    [
      `const NOTES = 'SELECT FROM notes WHERE id = $1';`,
      `export const find = (db: { query(text: string, values: string[]): unknown }, id: string) => db.query(NOTES, [id]);`,
    ],
    2,
    WAYS,
  ],
  [
    'a prepared statement that is not in a file of hot reads',
    [
      `import { preparedQuery } from './prepared-query.js';`,
      `export const find = (db: object, id: string): unknown =>`,
      `  preparedQuery(db, { name: 'note', text: 'SELECT FROM notes WHERE id = $1' }, [id]);`,
    ],
    3,
    WAYS,
  ],
  [
    'the registration of an entity of another module',
    [
      `import { TypeOrmModule } from '@nestjs/typeorm';`,
      RECORDING,
      `export const imports = [TypeOrmModule.forFeature([Recording])];`,
    ],
    3,
    `forFeature(Recording): Recording belongs to src/modules/recordings, and using its repository here bypasses that module's checks. ${USE}`,
  ],
  [
    'rows of another module, read through the entity manager',
    [
      `import type { EntityManager } from 'typeorm';`,
      RECORDING,
      `export const note = (manager: EntityManager, id: number) =>`,
      `  manager.findOneBy(Recording, { id });`,
    ],
    4,
    `findOneBy(Recording): Recording belongs to src/modules/recordings, and reading it here bypasses that module's checks. ${USE}`,
  ],
  [
    'random tests without a fixed seed',
    [`import { sample, nat } from 'fast-check';`, `export const numbers = sample(nat());`],
    1,
    "'fast-check' import is restricted",
    'test/unit/mistake.spec.ts',
  ],
];

/** Code that resembles a mistake but is fine. */
export const FINE: [what: string, file: string, source: string[]][] = [
  [
    'numbers that are values, in SQL or in examples, and fractions',
    'src/modules/notes/fine-numbers.ts',
    [
      `export const notes = ['30 days', "at > now() - interval '30 days'", 'Progress, 0 to 1'];`,
      `export const body = { summary: 'A note for 30 days', value: { days: 30 } };`,
      `export const field = { example: 'Kept for 30 days' };`,
    ],
  ],
  [
    "the module's own entity, registered and read",
    'src/modules/notes/fine-2.ts',
    [
      `import { TypeOrmModule } from '@nestjs/typeorm';`,
      `import type { EntityManager } from 'typeorm';`,
      NOTE,
      `export const imports = [TypeOrmModule.forFeature([Note])];`,
      `export const note = (manager: EntityManager) => manager.find(Note);`,
    ],
  ],
  [
    'a write to another module',
    'src/modules/notes/fine-3.ts',
    [
      `import type { EntityManager } from 'typeorm';`,
      RECORDING,
      `export const note = (manager: EntityManager, id: number) => manager.delete(Recording, { id });`,
    ],
  ],
  [
    'a relation to another module',
    'src/modules/notes/entities/note-place.entity.ts',
    [
      `import { ManyToOne } from 'typeorm';`,
      `import { Recording } from '../../recordings/entities/recording.entity.js';`,
      `export class NotePlace {`,
      `  @ManyToOne(() => Recording)`,
      `  recording: object;`,
      `}`,
    ],
  ],
  [
    'a promise with a handler that is awaited, or does not throw',
    'src/modules/notes/fine-5.ts',
    [
      `const save = async () => 1;`,
      `const throwOther = (error: unknown): never => { throw new Error('other', { cause: error }); };`,
      `export const note = async () => {`,
      `  save().catch(() => undefined);`,
      `  await save().catch(throwOther);`,
      `};`,
      `export const noted = () => save().catch(throwOther);`,
      `export const end = (stop: () => void) => void save().catch(stop);`,
      `export function tell(resolve: (result: number) => void, reject: (error: unknown) => void): void {`,
      `  save().then(resolve, reject);`,
      `}`,
    ],
  ],
  [
    'constant statements of hot reads',
    'src/modules/notes/fine.hot.sql.ts',
    [
      `const TABLE = 'notes';`,
      `const NOTES = \`SELECT FROM \${TABLE} WHERE id = $1\`;`,
      `interface Database {`,
      `  query(text: string | object, values?: readonly unknown[]): unknown;`,
      `}`,
      `export const find = (db: Database, id: string) => [`,
      `  db.query(NOTES, [id]),`,
      `  db.query(\`SELECT FROM \${TABLE}\`),`,
      `  db.query({ name: 'notes', text: NOTES, values: [id] }),`,
      `];`,
    ],
  ],
  [
    'a statement whose values the tag binds',
    'src/modules/notes/fine.queries.ts',
    [
      `import { sql, type Database } from '../../platform/database/sql.js';`,
      ``,
      `export const findNote = (manager: Database, id: string) => sql(manager)\`SELECT FROM notes WHERE id = \${id}\`;`,
    ],
  ],
  ['the environment in a test', 'test/unit/x.spec.ts', [`export const key = process.env['API_KEY'];`]],
];
