// A bare Nest application that opens the database of the service with the same entities and options, and does nothing else:
// what Nest, Express, TypeORM and the first connection need before anything of the service.
// Settings: DATABASE_URL, PORT, POOL_SIZE.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { dataSourceOptions } from '../../dist/src/platform/database/data-source.js';

const { DATABASE_URL, PORT, POOL_SIZE } = process.env;

class HealthController {
  ready() {
    return { status: 'ok' };
  }
}
const ready = Object.getOwnPropertyDescriptor(HealthController.prototype, 'ready');
Get('ready')(HealthController.prototype, 'ready', ready);
Controller('health')(HealthController);

class BareModule {}
const database = TypeOrmModule.forRoot(dataSourceOptions({ url: DATABASE_URL, poolSize: Number(POOL_SIZE) }));
Module({ imports: [database], controllers: [HealthController] })(BareModule);

const app = await NestFactory.create(BareModule, { logger: false });
app.enableShutdownHooks();
await app.listen(Number(PORT), '127.0.0.1');
