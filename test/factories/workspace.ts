import { v7 } from 'uuid';

/** Builders of workspace files: valid by default, with overrides for what a test needs. */

export const id = (): string => v7();

/** Every recording status of the contract. */
export const STATUSES = [
  'STARTING',
  'CONNECTING',
  'WAIT_APPROVAL',
  'RECORDING',
  'UPLOADING',
  'PROCESSING',
  'TRANSCODING',
  'MIGRATING',
  'COMPLETED',
  'ERROR',
] as const;

export interface UserInput {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly plan: 'FREE' | 'PRO';
  readonly apiKeys: readonly object[];
  readonly externalId?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A user with one key, `keyOf(name)`. */
export function user(name: string, overrides: Partial<UserInput> = {}): UserInput {
  return {
    id: id(),
    email: emailOf(name),
    name,
    plan: 'PRO',
    apiKeys: [{ name: 'test', key: keyOf(name) }],
    ...overrides,
  };
}

export const emailOf = (name: string): string => `${name.toLowerCase()}@acme.test`;

/** The URL with which this user deletes themselves. */
export const ownDeletion = (email: string): string => `/me?confirm=${encodeURIComponent(email)}`;

/** The API key of a user built by `user`. */
export const keyOf = (name: string): string =>
  `mrs_${name.replace(/[^A-Za-z0-9]/g, '')}${'0'.repeat(30)}`.slice(0, 44);

export function member(name: string, role: string, features: object = {}): object {
  return { email: emailOf(name), role, features };
}

export function organization(
  name: string,
  overrides: object = {},
): { id: string; name: string } & Record<string, unknown> {
  return {
    id: id(),
    name,
    plan: 'ENTERPRISE',
    subscription: { status: 'active', endsAt: null },
    members: [],
    folders: [],
    ...overrides,
  };
}

export function folder(
  name: string,
  overrides: object = {},
): { id: string; name: string } & Record<string, unknown> {
  return { id: id(), name, ...overrides };
}

export function recording(owner: string, overrides: object = {}): { id: string } & Record<string, unknown> {
  return {
    id: id(),
    owner: emailOf(owner),
    title: 'Weekly sync',
    status: 'COMPLETED',
    createdAt: new Date().toISOString(),
    ...overrides,
  };
}

/** `count` segments of two seconds, spoken alternately by Ada and Grace. */
export function transcript(count: number, overrides: object = {}): object {
  return {
    language: 'en',
    segments: Array.from({ length: count }, (_, index) => ({
      start: index * 2,
      end: index * 2 + 1.5,
      speaker: index % 2 === 0 ? 'Ada' : 'Grace',
      text: `Sentence ${index}`,
      confidence: 0.9,
    })),
    ...overrides,
  };
}

export const summary = {
  content: '## Decisions\n\n- Ship it',
  topics: [{ title: 'Launch', keyPoints: [{ point: 'Ship on Friday', details: ['All tests are green'] }] }],
};
