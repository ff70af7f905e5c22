import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { lexemesOf } from '../../src/modules/search/index/public/lexemes.queries.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

describe('lexemes of texts', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createDatabase();
    dataSource = await new DataSource(
      dataSourceOptions({ url: database.url, poolSize: 2, entities: [] }),
    ).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('are stems without stop words, in the order of the texts', async () => {
    expect(await lexemesOf(dataSource, 'en', ['The budgets were approved', '', 'an approval'])).toEqual([
      ['approv', 'budget'],
      [],
      ['approv'],
    ]);
    expect(await lexemesOf(dataSource, 'de-AT', ['Die Häuser und das Haus'])).toEqual([['haus']]);
    expect(await lexemesOf(dataSource, null, ['The Houses'])).toEqual([['houses', 'the']]);
    expect(await lexemesOf(dataSource, 'tlh', ['The Houses'])).toEqual([['houses', 'the']]);
  });

  it('are complete for thousands of texts', async () => {
    const texts = Array.from({ length: 1_234 }, (_, index) => `number${index}`);
    expect(await lexemesOf(dataSource, 'en', texts)).toEqual(texts.map((_, index) => [`${index}`, 'number']));
  });

  it('of malicious runs without whitespace are found quickly', async () => {
    // Unsplit, a text of this length takes PostgreSQL minutes, and the statement times out after 15 s.
    const hostile = ['a_', './', '~/', 'a1@'].map((part) => part.repeat(60_000));
    expect(await lexemesOf(dataSource, 'en', hostile)).toHaveLength(4);
  });
});
