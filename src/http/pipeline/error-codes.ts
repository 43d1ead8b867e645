/** Error codes by status. If RFC 6749 or RFC 6750 defines a suitable code, the table contains that code. */
const CODES: Readonly<Record<number, string>> = {
  202: 'unfinished',
  400: 'invalid_request',
  401: 'invalid_token',
  403: 'access_denied',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  412: 'precondition_failed',
  429: 'temporarily_unavailable',
  503: 'temporarily_unavailable',
};

export function errorCodeFor(status: number): string {
  return CODES[status] ?? (status < 500 ? 'invalid_request' : 'server_error');
}
