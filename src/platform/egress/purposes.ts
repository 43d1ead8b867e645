/** Why the server sends a request to another server. */
export const EGRESS_PURPOSES = ['sector-document', 'logout-token'] as const;
export type EgressPurpose = (typeof EGRESS_PURPOSES)[number];
