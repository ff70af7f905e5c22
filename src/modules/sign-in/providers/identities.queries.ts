import type { EntityManager } from 'typeorm';
import { LOCK_CLASSES } from '../../../platform/database/lock-numbers.js';
import { sql } from '../../../platform/database/sql.js';

/** Lets nobody else sign in with this address or subject until the transaction ends, so that they do not become two users. */
export async function lockPerson(manager: EntityManager, addressOrSubject: string): Promise<void> {
  await sql(manager)`
    SELECT pg_advisory_xact_lock(${LOCK_CLASSES.signIn}::int, hashtext(lower(${addressOrSubject}::text)))`;
}
