import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { LexemesService } from '../../src/platform/language/lexemes.service.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

describe('words of texts', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let lexemes: LexemesService;

  beforeAll(async () => {
    database = await createDatabase();
    dataSource = await new DataSource(
      dataSourceOptions({ url: database.url, poolSize: 2, entities: [] }),
    ).initialize();
    lexemes = new LexemesService(dataSource);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('are stems without stop words, in the order of the texts', async () => {
    expect(await lexemes.of('en', ['The budgets were approved', '', 'an approval'])).toEqual([
      ['approv', 'budget'],
      [],
      ['approv'],
    ]);
    expect(await lexemes.of('de-AT', ['Die Häuser und das Haus'])).toEqual([['haus']]);
    expect(await lexemes.of(null, ['The Houses'])).toEqual([['houses', 'the']]);
    expect(await lexemes.of('tlh', ['The Houses'])).toEqual([['houses', 'the']]);
  });

  it('of thousands of texts come whole', async () => {
    const texts = Array.from({ length: 1_234 }, (_, index) => `number${index}`);
    expect(await lexemes.of('en', texts)).toEqual(texts.map((text) => [text]));
  });

  it('of hostile runs without a blank come soon', async () => {
    // Without care a text of this length takes PostgreSQL minutes: the statement would be ended after 15 s.
    const hostile = ['a_', './', '~/', 'a1@'].map((part) => part.repeat(60_000));
    expect(await lexemes.of('en', hostile)).toHaveLength(4);
  });
});
