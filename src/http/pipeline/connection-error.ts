const CONNECTION_ERROR_CODE = /^(?:HPE_|ECONN|EPIPE$|ETIMEDOUT$|ERR_STREAM_PREMATURE_CLOSE$|ERR_HTTP_REQUEST_TIMEOUT$)/;

/** Reports whether the caller disconnected or did not send valid HTTP. Such errors do not belong in the error log. */
export function isConnectionError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CONNECTION_ERROR_CODE.test(String(error.code));
}
