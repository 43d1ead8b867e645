import type { ClientCommand } from '../../domain/client.ts';
import type { Client } from '../../projections/clients.ts';

/** A client that the log may not contain yet. */
export interface ResolvedClient extends Client {
  /**
   * The command that records the client in its current form when a user next consents. Undefined if the log is up to
   * date.
   */
  readonly recordingCommand?: ClientCommand | undefined;
}
