import type { Request } from 'express';

/** The languages of the pages on which people sign in, join and look after their account. */
export const PAGE_LANGUAGES = ['en', 'de'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** The language of a page: the one that the browser prefers, of those that there are; otherwise English. */
export const languageOf = (request: Request): PageLanguage =>
  (request.acceptsLanguages([...PAGE_LANGUAGES]) || 'en') as PageLanguage;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/** A text of a page as HTML, with `{name}` replaced by a name that others chose, whose direction is its own. */
export const withNames = (text: string, names: Readonly<Record<string, string>>): string =>
  escapeHtml(text).replace(/\{(\w+)\}/g, (_, name: string) => `<bdi>${escapeHtml(names[name] ?? '')}</bdi>`);
