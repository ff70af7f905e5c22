/** What the API document and the replies say of an error code. */
export interface ErrorDefinition {
  readonly status: number;
  /** Used when the place that throws has nothing more exact to say. */
  readonly message: string;
  /** In the API document: when the code is given. */
  readonly when: string;
  /** Sent with the reply wherever the code is thrown. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ServiceErrorOptions {
  /** For the log alone. */
  readonly cause?: unknown;
  /** In place of those of the definition. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An error that the filter turns into `{"error":{"code","message"}}`. `message` is read by the client, so it never holds
 * anything the client may not know; what only the log should say goes into `cause`. Thrown as `PlatformError` or, by
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
