/**
 * The connection of TypeORM's own command line, e.g. to draft a migration while the service runs (first `npm run build`):
 * `DATABASE_URL=$(npx mrs database url) npx typeorm migration:generate -d dist/ormconfig.js src/platform/database/migrations/add-thing`
 */
import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/platform/database/data-source.js';

if (existsSync('.env')) process.loadEnvFile('.env');
const url = process.env.DATABASE_URL;
if (!url) throw new Error('Set DATABASE_URL to the database that the command should work on.');

export default new DataSource(dataSourceOptions({ url, poolSize: 2 }));
