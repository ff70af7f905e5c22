import { Module } from '@nestjs/common';
import { PlansController } from './plans.controller.js';

/** What each plan includes, for everyone to read. */
@Module({ controllers: [PlansController] })
export class PlansModule {}
