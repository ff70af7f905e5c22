import type { Client, Reply } from '../support/client.js';

/** What tests of all operations send, so that a part of recordings is in their worlds without a test of its own. */

/** Who is usually refused a change: who only sees the recording; its owner, when it is locked or its subscription has lapsed. */
export type RefusedCase = 'seen' | 'locked' | 'lapsed';

/** What users add to a recording, in a table of its own. */
export interface RecordingPart {
  readonly table: string;
  /** The parameter of paths that has its id. */
  readonly parameter: string;
  /** Only who has added it may change or delete it; otherwise, everyone who may change the recording. */
  readonly isOfAuthor?: boolean;
  /** The body of each request that changes something, what adds the part first; `text` is for what people write. */
  readonly requests: Readonly<Record<string, (text: string) => object | undefined>>;
  /** Requests that succeed in cases that are usually refused, and why. */
  readonly allowed: Readonly<
    Record<string, { readonly because: string; readonly cases: readonly RefusedCase[] }>
  >;
  /** The code, and the message if it is none of the catalog, of those who see the recording and may not do this. */
  readonly refusals: Readonly<Record<string, readonly [code: string, message?: string]>>;
}

export const PARTS: readonly RecordingPart[] = [
  {
    table: 'share_links',
    parameter: 'linkId',
    requests: {
      'POST /recordings/{id}/share-link': (label) => ({ label }),
      'PATCH /recordings/{id}/share-links/{linkId}': (label) => ({ label }),
      'DELETE /recordings/{id}/share-links/{linkId}': () => undefined,
    },
    allowed: {
      'POST /recordings/{id}/share-link': { because: 'who sees it may share it', cases: ['seen'] },
      'DELETE /recordings/{id}/share-links/{linkId}': {
        because: 'links may always be revoked',
        cases: ['locked', 'lapsed'],
      },
    },
    refusals: {
      'PATCH /recordings/{id}/share-links/{linkId}': [
        'FORBIDDEN',
        'Only its creator or someone who can edit the recording can change this share link.',
      ],
      'DELETE /recordings/{id}/share-links/{linkId}': [
        'FORBIDDEN',
        'Only its creator or someone who can edit the recording can revoke this share link.',
      ],
    },
  },
  {
    table: 'tracks',
    parameter: 'trackId',
    requests: {
      'POST /recordings/{id}/tracks': (name) => ({ name }),
      'PATCH /recordings/{id}/tracks/{trackId}': (name) => ({ name }),
      'DELETE /recordings/{id}/tracks/{trackId}': () => undefined,
    },
    allowed: {
      'DELETE /recordings/{id}/tracks/{trackId}': {
        because: 'owners may always delete',
        cases: ['locked', 'lapsed'],
      },
    },
    refusals: {},
  },
];

/** The parts that anyone who can see a recording may add. */
export const PARTS_OF_VIEWERS = PARTS.filter(({ requests, allowed }) => {
  const [adding = ''] = Object.keys(requests);
  return allowed[adding]?.cases.includes('seen');
});

/** What each part has under a name, by request. */
export const ofParts = <Key extends 'requests' | 'allowed' | 'refusals'>(key: Key): RecordingPart[Key] =>
  Object.assign({}, ...PARTS.map(({ [key]: its }) => its)) as RecordingPart[Key];

/** `id`: of the recording; `part`: of the part, if there is one. */
export const sendToPart = (
  api: Client,
  { requests, parameter }: RecordingPart,
  name: string,
  { id, part = '', text }: { readonly id: string; readonly part?: string; readonly text: string },
): Promise<Reply> => {
  const [method = '', path = ''] = name.split(' ');
  const full = path.replace('{id}', id).replace(`{${parameter}}`, part);
  return api.request(method, full, { body: requests[name]?.(text) });
};

/** Adds one of each part; returns the `data` of each reply by its table. */
export async function addParts(
  api: Client,
  id: string,
  text: string,
  parts = PARTS,
): Promise<Readonly<Record<string, Reply['body']>>> {
  const added: Record<string, Reply['body']> = {};
  for (const part of parts) {
    const [name = ''] = Object.keys(part.requests);
    const { status, body } = await sendToPart(api, part, name, { id, text });
    if (status >= 300) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
    added[part.table] = body.data;
  }
  return added;
}
