import { join } from 'node:path';
import { Eta } from 'eta';
import type { MailLanguage } from '../config/mail-settings.js';
import { PROJECT_ROOT } from '../../lib/project-root.js';
import { shortened } from '../../lib/text.js';

/** What each email says: untrusted names, URLs (links or commands), dates (in UTC) and counts. */
export interface MailViews {
  readonly invitation: {
    readonly organization: string;
    readonly inviter: string;
    readonly role: string;
    readonly url: URL;
    readonly expiresAt: Date;
  };
  readonly 'sign-in-link': {
    readonly url: URL;
    /** For which it works. */
    readonly minutes: number;
  };
  readonly 'ownership-transfer': {
    readonly organization: string;
    readonly offeredBy: string;
    /** Where the offer is accepted, by a POST request with an API key. */
    readonly url: URL;
    readonly expiresAt: Date;
  };
  /** Tells the owner of recordings that somebody else has moved to another organization. */
  readonly 'recordings-moved': {
    readonly movedBy: string;
    readonly recordings: number;
    /** Where they are now. */
    readonly organization: string;
    /** Which ones, by a GET request with an API key. */
    readonly url: URL;
  };
  /** Tells the owner of recordings that retention rules will remove them, or parts of them. */
  readonly 'retention-notice': {
    readonly recordings: number;
    /** When the first of them goes. */
    readonly endsAt: Date;
    /** Which ones, by a GET request with an API key. */
    readonly url: URL;
  };
  readonly 'webhook-failures': DisabledWebhookView;
  readonly 'webhook-gone': DisabledWebhookView;
  readonly 'webhook-responsibility': {
    readonly organization: string;
    /** Schemes and hosts of their addresses. */
    readonly receivers: string;
    /** The list of webhooks of the organization, for a GET request with an API key. */
    readonly url: URL;
  };
}

interface DisabledWebhookView {
  /** Host of its address. */
  readonly receiver: string;
  /** Where it is enabled again, by a PATCH request with an API key. */
  readonly url: URL;
}

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A paragraph, a link of its own, a command, or what is said below in small print. */
type Block =
  | { readonly kind: 'text' | 'command' | 'note'; readonly text: string }
  | { readonly kind: 'link'; readonly label: string; readonly url: string };

const LONGEST_NAME = 80;
/** What separates lines or words in any script. */
const SEPARATORS = /[\p{Cc}\p{Z}]+/gu;
/** Direction overrides, zero-width characters, private use, halves of pairs. Emoji and Persian need the joiners. */
const INVISIBLE = /(?![\u200C\u200D])[\p{Cf}\p{Co}\p{Cs}\p{Cn}\u115F\u1160\u2800\u3164\uFFA0]/gu;
/** Dots, also those that browsers take for one, and the colon of a scheme, unless a space follows. */
const LINK_PARTS = /([.\u2024\u3002\uFE52\uFF0E\uFF61])(?=[^\s.])|(:)(?=[/\\])/gu;

/** What a block of a template can begin with, see `MailTemplates`. */
const BLOCK_MARKS = /^[\s\-[]+/u;

const FOLDER = join(PROJECT_ROOT, 'web', 'mail');
const LINK = /^\[(.+)\]\((\S+)\)$/;
const LOCALES: Readonly<Record<MailLanguage, string>> = { en: 'en-GB', de: 'de-DE' };

/** Renders the templates of `web/mail`: the subject, then blocks that both the text and the HTML are made of. */
export class MailTemplates {
  /** Plain text: nothing is escaped, and a name cannot contain the line breaks that separate blocks. */
  private readonly texts = new Eta({ views: FOLDER, cache: true, autoEscape: false, autoTrim: false });
  /** Escapes every value. */
  private readonly pages = new Eta({ views: FOLDER, cache: true });

  render<Name extends keyof MailViews>(
    name: Name,
    language: MailLanguage,
    view: MailViews[Name],
  ): RenderedMail {
    const values = Object.entries(view).map(([key, value]) => [key, valueOf(value, language)]);
    const source = this.texts.render(`${name}.${language}.eta`, Object.fromEntries(values));
    const [subject = '', ...paragraphs] = source.trim().split(/\n{2,}/);
    const blocks = paragraphs.map(blockOf);
    return {
      subject,
      text: `${blocks.map(textOf).join('\n\n')}\n`,
      html: this.pages.render('layout.eta', { language, subject, blocks }),
    };
  }
}

function valueOf(value: string | URL | Date | number, language: MailLanguage): string | number {
  if (typeof value === 'number') return value;
  if (value instanceof URL) return value.href;
  if (value instanceof Date) return timeIn(language, value);
  return untrustedName(value);
}

/** Such as `1 December 2026 at 09:30 UTC`, `1. Dezember 2026 um 09:30 Uhr (UTC)`. */
function timeIn(language: MailLanguage, time: Date): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  const text = new Intl.DateTimeFormat(LOCALES[language], format).format(time);
  return language === 'de' ? `${text} Uhr (UTC)` : `${text} UTC`;
}

function blockOf(paragraph: string): Block {
  const text = paragraph.trim();
  const [, label, url] = LINK.exec(text) ?? [];
  if (label !== undefined && url !== undefined) return { kind: 'link', label, url };
  if (paragraph.startsWith('    ')) return { kind: 'command', text };
  if (text.startsWith('-- ')) return { kind: 'note', text: oneLine(text.slice(3)) };
  return { kind: 'text', text: oneLine(text) };
}

const oneLine = (text: string): string => text.replaceAll('\n', ' ');

function textOf(block: Block): string {
  if (block.kind === 'link') return `${block.label}:\n${block.url}`;
  return block.kind === 'command' ? `    ${block.text}` : block.text;
}

/** A name that somebody else chose: one line, 80 characters, and no link: `evil.example` is `evil. example`. */
function untrustedName(text: string): string {
  const line = text
    .slice(0, 2_000)
    .toWellFormed()
    .replace(SEPARATORS, ' ')
    .replace(INVISIBLE, '')
    .replace(LINK_PARTS, '$1$2 ')
    .replace(BLOCK_MARKS, '')
    .trim();
  return shortened(line, LONGEST_NAME) || '-';
}
