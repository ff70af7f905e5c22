/** How an error code appears in the API document and in replies. */
export interface ErrorDefinition {
  readonly status: number;
  /** Default message; the code that throws can give a more specific one. */
  readonly message: string;
  /** When the code is returned, in the API document. */
  readonly when: string;
  /** Sent with every reply that has the code. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The part of the message, if it is there, that only operators can act on. */
  readonly advice?: string;
}

export interface ServiceErrorOptions {
  readonly cause?: unknown;
  /** Replace those of the definition. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly advice?: string;
}

/**
 * An error that the filter turns into `{"error":{"code","message"}}`. `message` is sent to the client, so it must never
 * contain anything the client may not know; details for the log belong in `cause`. Thrown as `PlatformError` or, by
 * modules, as `DomainError`.
 */
export abstract class ServiceError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  private readonly advice: string | undefined;

  constructor(
    readonly code: string,
    definition: ErrorDefinition,
    message: string = definition.message,
    { cause, headers, advice }: ServiceErrorOptions = {},
  ) {
    super(message, { cause });
    this.name = new.target.name;
    this.status = definition.status;
    this.headers = headers ?? definition.headers ?? {};
    this.advice = advice ?? definition.advice;
  }

  /** The message, with whom to ask in place of the advice for operators; null: callers are given the advice. */
  messageFor(contact: string | null): string {
    return this.advice === undefined ? this.message : withContact(this.message, this.advice, contact);
  }
}

/** A text with whom to ask in place of the advice for operators in it; null: as it is. */
export function withContact(text: string, advice: string, contact: string | null): string {
  if (contact === null) return text;
  return text.replace(
    advice,
    (_, at: number) => `${/(^|\. )$/.test(text.slice(0, at)) ? 'Ask' : 'ask'} ${contact}`,
  );
}
