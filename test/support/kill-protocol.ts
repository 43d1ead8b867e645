/** What a kill drill and the server that it kills have to agree on. */

/** What the server tells the drill. */
export type FromTarget =
  | { readonly port: number }
  | { readonly findings: readonly string[]; readonly events: number }
  | { readonly unexpected: string };

/** Long windows: a drill is about kills, and may take its time between them. Snapshots come so often that most rounds go on from one, and some kills fall into its writing. */
export function drillSettings(dataDir: string) {
  return {
    dataDir,
    sampleApi: true,
    port: 0,
    authorizationCodeLifetimeSeconds: 3600,
    refreshReuseWindowSeconds: 3600,
    snapshotEvents: 300,
    tokensPerMinutePerClient: 1_000_000_000, // one user gets all codes
  };
}
