const PREFIX = 'urn:ietf:params:oauth:token-type:';

/** The identifiers of the token types that can be exchanged here (RFC 8693 §3). */
export const TOKEN_TYPES = {
  accessToken: `${PREFIX}access_token`,
  jwt: `${PREFIX}jwt`,
  idToken: `${PREFIX}id_token`,
} as const;
