/** How an error code appears in the API document and in replies. */
export interface ErrorDefinition {
  readonly status: number;
  /** Default message; the code that throws can give a more specific one. */
  readonly message: string;
  /** When the code is returned, in the API document. */
  readonly when: string;
  /** Sent with every reply that has the code. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ServiceErrorOptions {
  /** Only logged. */
  readonly cause?: unknown;
  /** Replace those of the definition. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An error that the filter turns into `{"error":{"code","message"}}`. `message` is sent to the client, so it must never
 * contain anything the client may not know; details for the log belong in `cause`. Thrown as `PlatformError` or, by
 * modules, as `DomainError`.
 */
export abstract class ServiceError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: string,
    definition: ErrorDefinition,
    message: string = definition.message,
    { cause, headers }: ServiceErrorOptions = {},
  ) {
    super(message, { cause });
    this.name = new.target.name;
    this.status = definition.status;
    this.headers = headers ?? definition.headers ?? {};
  }
}
