import { membersOf, type Members } from './json-values.js';
import { FILE_LIMITS } from '../transcript.js';

/** An object around a list. */
export interface Owner {
  /** As of a list; that of an item ends in `[]`. */
  readonly path: string;
  readonly members: Members;
  readonly up: Owner | null;
}

/** One list in the file. */
export interface Group {
  /** `results.channels[1].alternatives[0].words` */
  readonly place: string;
  readonly items: readonly unknown[];
  readonly owner: Owner | null;
  /** Of each item, if the list is a table. */
  readonly lines?: readonly number[];
}

/** All lists at the same place of each item: `results.channels[].alternatives[].words`; empty if it is the file. */
export interface FoundList {
  readonly path: string;
  readonly groups: Group[];
}

/** Lists of readings of the same speech, the best of which is the first. */
export const COMPETING = /^(?:alternatives|nBest|n_best|hypotheses)$/;
/** What others write beside the transcript, with texts and times that are none of it. */
export const ASIDE =
  /translat|summar|highlight|chapter|entit|sentiment|topic|categor|safety|insight|action|keyword|question|comment|bookmark|partial|char/i;
/** Different paths that are looked at; real files have a few dozen. */
const MOST_PATHS = 2_000;

interface Node extends FoundList {
  readonly name: string;
  /** Null for names that are not looked into. */
  readonly within: Map<string, Node | null>;
}

/** All lists of a file, outer ones first. */
export function listsIn(file: unknown): FoundList[] {
  const nodes: Node[] = [];
  const nodeAt = (path: string, name: string): Node => {
    const node: Node = { path, name, groups: [], within: new Map() };
    nodes.push(node);
    return node;
  };
  const inner = (node: Node, name: string): Node | null => {
    const known = node.within.get(name);
    if (known !== undefined) return known;
    const isRead = !ASIDE.test(name) && name.length <= 200 && nodes.length < MOST_PATHS;
    const step = name === '[]' || node.path === '' ? name : `.${name}`;
    const made = isRead ? nodeAt(node.path + step, name) : null;
    node.within.set(name, made);
    return made;
  };
  const visit = (value: object, node: Node, place: string, owner: Owner | null, depth: number): void => {
    if (depth > FILE_LIMITS.jsonDepth) return;
    if (Array.isArray(value)) {
      node.groups.push({ place, items: value, owner });
      const within = inner(node, '[]');
      for (const [index, item] of (COMPETING.test(node.name) ? value.slice(0, 1) : value).entries())
        if (within && isObject(item)) visit(item, within, `${place}[${index}]`, owner, depth + 1);
      return;
    }
    const members = value as Members;
    const names = Object.keys(members);
    // A batch has a member for each file.
    const isBatch = names.filter((name) => name.includes('://')).length > 1;
    const around = { path: node.path, members, up: owner };
    for (const name of isBatch ? [] : names) {
      const member = members[name];
      const within = isObject(member) ? inner(node, name) : null;
      const at = place === '' ? name : `${place}.${name}`;
      if (within) visit(member as object, within, at, around, depth + 1);
    }
  };
  if (isObject(file)) visit(file, nodeAt('', ''), '', null, 0);
  return nodes.filter(({ groups }) => groups.some(({ items }) => items.some(membersOf)));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
