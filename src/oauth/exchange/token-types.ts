const PREFIX = 'urn:ietf:params:oauth:token-type:';

/** RFC 8693 §3. */
export const TOKEN_TYPES = {
  accessToken: `${PREFIX}access_token`,
  jwt: `${PREFIX}jwt`,
  idToken: `${PREFIX}id_token`,
} as const;
