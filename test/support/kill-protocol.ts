/** The protocol between a kill drill and the server that it kills. */

/** The messages from the server to the drill. */
export type FromTarget =
  | { readonly port: number }
  | { readonly findings: readonly string[]; readonly events: number }
  | { readonly unexpected: string };

/**
 * Lifetimes are long because a drill may take a while between kills. Snapshots are so frequent that most rounds start
 * from one and some kills interrupt one.
 */
export function drillSettings(dataDir: string) {
  return {
    dataDir,
    sampleApi: true,
    port: 0,
    authorizationCodeLifetimeSeconds: 3600,
    refreshReuseWindowSeconds: 3600,
    snapshotEvents: 300,
    tokensPerMinutePerClient: 1_000_000_000, // also limits the codes per user, and one user gets them all
  };
}
