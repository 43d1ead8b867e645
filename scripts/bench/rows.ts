/** One kind of request to measure. */
export interface Row {
  readonly name: string;
  readonly title: string;
  /** The minimum ratio to bare Koa's rate. A row without any target is measured only if requested. */
  readonly target?: number;
  /** The minimum ratio to oidc-provider's rate, for rows in which signatures take most of the time. */
  readonly peerTarget?: number;
}

export const ROWS = [
  { name: 'client_credentials', title: 'POST /o/token/, client_credentials', target: 0.8 },
  { name: 'code', title: 'POST /o/token/, authorization_code', target: 0.6 },
  { name: 'code-cold', title: 'the same, with codes from before a restart' },
  { name: 'openid-rs256', title: 'the same with an ID token, signed with RS256', peerTarget: 2 },
  { name: 'openid-eddsa', title: 'the same with an ID token, signed with EdDSA', peerTarget: 2 },
  { name: 'private_key_jwt', title: 'client_credentials, authenticated by a signed assertion (ES256)', peerTarget: 2 },
  { name: 'private_key_jwt-rs256', title: 'the same with an assertion signed with RS256' },
  { name: 'dpop', title: 'client_credentials with a DPoP proof (ES256)', peerTarget: 2 },
  { name: 'jwt_bearer', title: 'POST /o/token/, jwt-bearer with a JWT from a trusted issuer (ES256)' },
  { name: 'exchange', title: "POST /o/token/, token-exchange of a user's token, with an actor token", target: 0.5 },
  { name: 'refresh', title: 'POST /o/token/, refresh_token', target: 0.7 },
  { name: 'bearer', title: 'GET /users/1/ with a bearer token', target: 1.2 },
  { name: 'bearer-deep', title: 'the same with a token that was exchanged four times', target: 1.1 },
  { name: 'dpop-userinfo', title: 'GET /o/userinfo/ with a bound token and a DPoP proof (ES256)', peerTarget: 2 },
  { name: 'introspection', title: 'POST /o/introspect/', target: 0.9 },
  { name: 'introspection-deep', title: 'the same with a token that was exchanged four times', target: 0.8 },
] as const satisfies readonly Row[];

export type RowName = (typeof ROWS)[number]['name'];

/** The rows whose responses contain an ID token, and its algorithm. */
export const ID_TOKEN_ALGORITHMS = { 'openid-rs256': 'RS256', 'openid-eddsa': 'EdDSA' } as const;

export const ROW_NAMES: readonly RowName[] = ROWS.map(({ name }) => name);

export const DEFAULT_ROWS: readonly RowName[] = ROWS.filter((row) => 'target' in row || 'peerTarget' in row).map(
  ({ name }) => name,
);

/** The 99th percentile may exceed bare Koa's by this many milliseconds. */
export const P99_MARGIN_MS = 5;
