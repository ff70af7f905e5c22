/** Why a request to an address from outside failed. The message may be shown to the user who named the address. */
export class OutboundError extends Error {
  /** Whether another attempt would fail as well. */
  readonly permanent: boolean;

  constructor(message: string, { permanent = true, cause }: { permanent?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.name = 'OutboundError';
    this.permanent = permanent;
  }
}

/** Worded alike for both, so that callers cannot find out which names exist in the network of the service. */
export const notReachable = (cause?: unknown): OutboundError =>
  new OutboundError('The host name was not found, or its address is not allowed.', { cause });

/** Codes of OpenSSL and `node:tls`. */
const TLS_CODE =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_CA|HOSTNAME_|EPROTO$)/;

export const isTlsCode = (code: string): boolean => TLS_CODE.test(code);

/** `replied`: whether the connection broke while the body was read. */
export function fromNode(error: unknown, replied: boolean): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  const failed = (message: string, permanent = true) =>
    new OutboundError(message, { permanent, cause: error });
  if (isTlsCode(code)) return failed('No secure connection: the certificate of the server is not valid.');
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE')
    return failed('The reply of the server is not valid.');
  return failed(
    replied ? 'The connection to the server broke off.' : 'The server could not be reached.',
    false,
  );
}
