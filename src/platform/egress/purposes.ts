/** The purposes of requests to other servers. */
export const EGRESS_PURPOSES = [
  'sector-document',
  'request-object',
  'logout-token',
  'key-set',
  'client-document',
  'provider-metadata',
  'provider-tokens',
  'provider-userinfo',
] as const;
export type EgressPurpose = (typeof EGRESS_PURPOSES)[number];
