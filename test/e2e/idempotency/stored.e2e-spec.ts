import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Module, Patch, Post } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ApiTags } from '../../../src/contract/api-tags.decorator.js';
import { Endpoint } from '../../../src/contract/endpoint.decorator.js';
import { IdempotencyClaims } from '../../../src/platform/idempotency/idempotency-claims.service.js';
import { reply, type Reply } from '../../../src/platform/openapi/reply.dto.js';
import { keyOf, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { create, isReplay, keyed, storedKeys } from '../../support/idempotency.js';
import { eventually, startService, type TestService } from '../../support/service.js';

class Text {
  @ApiProperty({ type: 'string', description: 'A text', example: 'a' })
  text: string;
}

const OPERATION = { summary: 'Make a text', scope: 'profile:read', reply: Text } as const;

/** Replies that are larger than those of the service. */
@ApiTags('Recordings')
@Controller('texts')
class TextsController {
  @Post()
  @Endpoint(OPERATION)
  makeLarge(): Reply<Text> {
    return reply({ text: `${Math.random()}${'ö\n'.repeat(250_000)}` });
  }

  @Patch()
  @Endpoint(OPERATION)
  makeTooLarge(): Reply<Text> {
    return reply({ text: `${Math.random()}${'a'.repeat(1024 * 1024)}` });
  }
}

@Module({ controllers: [TextsController] })
class TextsModule {}

describe('what is stored of a request with an Idempotency-Key', () => {
  let service: TestService;
  let ada: Client;
  const [owner, reader] = [user('Ada'), user('Eve')];

  beforeAll(async () => {
    service = await startService({}, { modules: [TextsModule] });
    await service.import({ users: [owner, reader] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());
  beforeEach(() => service.dataSource.query('DELETE FROM idempotency_keys'));

  it('cannot be read without the API key', async () => {
    const body = { name: 'Name of the key' };
    const { body: first } = await ada.post('/api-keys', body, keyed('chosen-by-the-client'));
    const [row] = await storedKeys(service);
    const stored = Buffer.concat([
      Buffer.from(row!.text),
      ...[...row!.text.matchAll(/\\x([0-9a-f]+)/g)].map(([, hex]) => Buffer.from(hex!, 'hex')),
    ]);
    expect(stored.length).toBeGreaterThan(500);
    const texts = [
      first.data.key,
      first.data.key.slice(0, 12),
      first.data.id,
      body.name,
      'chosen-by-the-client',
      'api-keys',
      keyOf('Ada'),
    ];
    expect(texts.filter((text: string) => stored.includes(text))).toEqual([]);
    const again = await ada.post('/api-keys', body, keyed('chosen-by-the-client'));
    expect([isReplay(again), again.body.data]).toEqual([true, { ...first.data, key: null }]);
  });

  it('includes large replies', async () => {
    const first = await ada.post('/texts', undefined, keyed('large'));
    expect(first.status).toBe(200);
    const again = await ada.post('/texts', undefined, keyed('large'));
    expect([again.status, isReplay(again), again.body]).toEqual([200, true, first.body]);
  });

  it('does not include a reply of more than 1 MiB, but the request is not carried out again', async () => {
    expect((await ada.patch('/texts', undefined, keyed('too-large'))).status).toBe(200);
    const again = await ada.patch('/texts', undefined, keyed('too-large'));
    expect([again.status, again.body]).toEqual([409, refusal('IDEMPOTENCY_REPLY_LOST')]);
    expect(await storedKeys(service)).toMatchObject([{ changed: true, reply: null }]);
  });

  /** Keys of a user, each newer than the one before. */
  async function store(userId: string, count: number, replyBytes: number): Promise<void> {
    await service.dataSource.query(
      `INSERT INTO idempotency_keys (id, user_id, request, attempt, reply, leased_until, expires_at)
       SELECT sha256(convert_to($1 || n, 'UTF8')), $1::uuid, '', gen_random_uuid(), convert_to(repeat('a', $3), 'UTF8'), now(),
              now() + interval '1 hour' + n * interval '1 second'
       FROM generate_series(1, $2::int) AS n`,
      [userId, count, replyBytes],
    );
  }

  const keysOf = async (userId: string): Promise<number> => {
    const [row] = await service.dataSource.query<{ n: number }[]>(
      'SELECT count(*)::int AS n FROM idempotency_keys WHERE user_id = $1',
      [userId],
    );
    return row!.n;
  };

  it.each([
    ['the last 10,000 keys', 'Grace', 10_010, 1, 10_000],
    ['the last 64 MiB', 'Heidi', 70, 1024 * 1024, 64],
  ])('is %s of each user', async (_, name, count, replyBytes, kept) => {
    const grace = user(name);
    await service.import({ users: [grace] });
    await store(grace.id, count, replyBytes);
    await store(reader.id, 10, 1);
    const first = await create(service.api.as(keyOf(name)), 'newest');
    await eventually(async () => expect(await keysOf(grace.id)).toBeGreaterThanOrEqual(kept));
    await eventually(async () => expect(await keysOf(grace.id)).toBeLessThanOrEqual(kept + 1));
    expect(await keysOf(reader.id)).toBe(10);
    expect((await create(service.api.as(keyOf(name)), 'newest')).body).toEqual(first.body);
  });

  it('is removed by a job once it has expired', async () => {
    await store(reader.id, 2_500, 1);
    await create(ada, 'younger');
    service.setNow(new Date(Date.now() + 20 * 60 * 60 * 1000));
    const claims = service.app.get(IdempotencyClaims);
    await claims.tidy(AbortSignal.abort());
    expect(await keysOf(reader.id)).toBe(2_500);
    await claims.tidy(new AbortController().signal);
    service.setNow(null);
    expect([await keysOf(reader.id), await keysOf(owner.id)]).toEqual([0, 1]);
    expect(isReplay(await create(ada, 'younger'))).toBe(true);
  });
});
