const OF_CONNECTION = /^(?:HPE_|ECONN|EPIPE$|ETIMEDOUT$|ERR_STREAM_PREMATURE_CLOSE$|ERR_HTTP_REQUEST_TIMEOUT$)/;

/** Whether the caller hung up, or sent what is no HTTP: no failure of ours, and nothing to fill the error log with. */
export function isOfConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && OF_CONNECTION.test(String(error.code));
}
