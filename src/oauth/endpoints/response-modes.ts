/**
 * How the browser sends the response to the client: in the query of a redirect or in a form that it posts (OAuth 2.0
 * Form Post Response Mode), as parameters or as one signed JWT (JARM). No flow of this server needs `fragment`.
 */
export const RESPONSE_MODES = ['query', 'form_post', 'jwt', 'query.jwt', 'form_post.jwt'] as const;
/** The modes except `jwt`, which is a shortcut for the JWT variant of the flow's default mode (JARM §2.3.4). */
export type ResponseMode = Exclude<(typeof RESPONSE_MODES)[number], 'jwt'>;

/** Returns the requested mode, or undefined if there is no such mode. */
export function parseResponseMode(requestedMode = 'query'): ResponseMode | undefined {
  const mode = RESPONSE_MODES.find((candidate) => candidate === requestedMode);
  return mode === 'jwt' ? 'query.jwt' : mode;
}
