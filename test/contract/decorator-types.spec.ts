import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const TSC = resolve('node_modules/typescript-native/bin/tsc');
const SOURCE = `
import { ApiTags } from '${resolve('src/contract/api-tags.decorator.js')}';
import { ApiIdParam } from '${resolve('src/contract/id-param.decorator.js')}';

@ApiTags('Recordings')
export class Right {
  @ApiIdParam('recording')
  @ApiIdParam('bookmark', 'bookmarkId')
  method(): void {}
}

@ApiTags('Recordngs')
export class Wrong {
  @ApiIdParam('bookmark', 'bookmark_id')
  method(): void {}
}
`;
const SETTINGS = {
  extends: resolve('tsconfig.json'),
  compilerOptions: { rootDir: '/', typeRoots: [resolve('node_modules/@types')] },
  include: ['example.ts'],
};

describe('The types of the endpoint decorators', () => {
  let folder: string;
  let errors: string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mrs-types-'));
    writeFileSync(join(folder, 'example.ts'), SOURCE);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS));
    errors = await new Promise((done) => {
      execFile(process.execPath, [TSC, '-p', folder, '--pretty', 'false'], (_, stdout) =>
        done(stdout.trim().split('\n')),
      );
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('accept a documented tag and ids of the right form', () => {
    expect(errors).toHaveLength(2);
  });

  it('reject an unknown tag, naming all tags and the file that declares them', () => {
    expect(errors[0]).toMatch(/example\.ts\(12,10\): error TS2345: Argument of type '"Recordngs"' is not/);
    expect(errors[0]).toContain('"API keys" | ');
    expect(errors[0]).toContain('"or a new one, once it is in TAGS of src/contract/api-document.ts"');
  });

  it('reject an id of the wrong form, naming the right one', () => {
    expect(errors[1]).toMatch(/example\.ts\(14,27\): error TS2345: Argument of type '"bookmark_id"' is not/);
    expect(errors[1]).toContain('"id" | `${string}Id`');
  });
});
