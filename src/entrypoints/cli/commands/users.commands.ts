import { EXTERNAL_LIMITS } from '../../../contract/external-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { counted, singleLine } from '../../../lib/text.js';
import { presentDeparture } from '../../../modules/organizations/public/departure.response.dto.js';
import { OneTimeSecret } from '../../../modules/sign-in/entities/one-time-secret.entity.js';
import { issueLink } from '../../../modules/sign-in/links/sign-in-link.js';
import { OneTimeSecretsService } from '../../../modules/sign-in/one-time-secrets.service.js';
import { User } from '../../../modules/users/entities/user.entity.js';
import { presentUser } from '../../../modules/users/management/user.dto.js';
import { UserDeletionService } from '../../../modules/users/management/user-deletion.service.js';
import { listUsers as readUsers } from '../../../modules/users/public/users.queries.js';
import { UsersService } from '../../../modules/users/users.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { readCursor } from '../../../platform/http/replies/cursor.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { COMMAND_LINE } from '../../../policy/management.js';
import type { UserPlan } from '../../../policy/plans.js';
import { usageError } from '../exit-status.js';
import { namedUser, requireUser, withDatabase, withService, type Host, type UserOptions } from '../host.js';
import { emailAddress, ifGiven, pageQuery, text } from '../option-values.js';
import {
  addressOf,
  print,
  printCreated,
  printList,
  rowsOf,
  type ListOptions,
  type Output,
} from '../output.js';
import { confirm, type Confirmable } from '../prompts.js';

export async function listUsers(options: ListOptions): Promise<void> {
  const query = pageQuery(options);
  await withDatabase(({ manager }) =>
    printList(
      options,
      rowsOf(async (cursor) => {
        const page = await readUsers(manager, { ...query, after: readCursor(cursor) });
        return { ...page, rows: page.rows.map(presentUser) };
      }),
      {
        cells: ({ id, plan, is_operator: operator, email, email_verified: verified, name }) => [
          id,
          `${plan}${operator ? ', operator' : ''}`,
          addressOf(email, verified),
          singleLine(name),
        ],
        titles: ['ID', 'PLAN', 'EMAIL', 'NAME'],
        none: 'No users found.',
      },
    ),
  );
}

export async function createUser(
  options: Output & { email: string; name: string; plan?: UserPlan; externalId?: string },
): Promise<void> {
  const email = emailAddress('--email', options.email);
  const name = text('--name', options.name, LIMITS.name);
  const externalId = ifGiven(options.externalId, (value) =>
    text('--external-id', value, EXTERNAL_LIMITS.externalId),
  );
  await withDatabase(
    async (host) => {
      const { plan = host.settings.defaultPlan } = options;
      const input = { email, emailVerified: true, name, plan, externalId };
      const user = await usersOf(host).create(input, COMMAND_LINE);
      printCreated(options, presentUser(user), user.id, `${user.email}  ${user.name}`);
    },
    { creates: true, writes: true },
  );
}

export async function updateUser(
  options: Output & UserOptions & { name?: string; newEmail?: string; plan?: UserPlan; operator?: boolean },
): Promise<void> {
  const { plan, operator } = options;
  const name = ifGiven(options.name, (value) => text('--name', value, LIMITS.name));
  const email = ifGiven(options.newEmail, (value) => emailAddress('--new-email', value));
  const changes = { name, email, plan, operator };
  if (Object.values(changes).every((value) => value === undefined))
    throw usageError('Specify at least one of --name, --new-email, --plan, --operator, --no-operator');
  await withDatabase(
    async (host) => {
      const user = await namedUser(host, options);
      const updated = await usersOf(host).update(user.id, changes, COMMAND_LINE);
      print(options, presentUser(updated), `Updated ${singleLine(user.email)}.`);
    },
    { writes: true },
  );
}

export async function printSignInLink(options: Output & UserOptions): Promise<void> {
  await withDatabase(async (host) => {
    const user = await namedUser(host, options);
    const secrets = new OneTimeSecretsService(host.manager.getRepository(OneTimeSecret), new Clock());
    const path = await issueLink(secrets, user, { way: 'link' });
    const url = new PublicUrl(host.settings).resolve(path);
    print(options, { id: user.id, email: user.email, url }, url);
  });
}

export async function deleteUser(
  options: Output & Confirmable & UserOptions & { newOwner?: string },
): Promise<void> {
  await withService(async (service) => {
    const user = await namedUser(service, options);
    const newOwner = await ifGiven(options.newOwner, (value) => requireUser(service, '--new-owner', value));
    const { id, email } = user;
    const name = `${singleLine(email)} (${singleLine(user.name)})`;
    await confirm(`Delete ${name} with their personal recordings and share links`, options);
    const deleted = await service
      .get(UserDeletionService)
      .delete(user, { newOwner: newOwner?.id }, COMMAND_LINE);
    const { personalRecordings, handedOver, newOwners } = deleted;
    const owners = await Promise.all(newOwners.map((one) => service.get(UsersService).get(one)));
    const message = [
      `Deleted ${singleLine(email)} and ${counted(personalRecordings, 'personal recording')}`,
      ...(handedOver === 0 ? [] : [handedOverInWords(handedOver, owners)]),
      'API keys were kept.',
    ].join('; ');
    const report = { id, email, personal_recordings: personalRecordings, handed_over: handedOver };
    const { success: _, ...left } = presentDeparture(deleted);
    print(options, { ...report, new_owners: newOwners, ...left }, message);
  });
}

function handedOverInWords(count: number, owners: readonly User[]): string {
  const names = owners.map(({ email }) => singleLine(email)).join(', ');
  return `${counted(count, 'organization recording')} now ${count === 1 ? 'belongs' : 'belong'} to ${names}`;
}

const usersOf = ({ manager }: Host): UsersService =>
  new UsersService(manager.getRepository(User), new Clock());
