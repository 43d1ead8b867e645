import type { ClientMode } from '../../../domain/values.ts';

/** The values in the head of an application's pages. */
export interface ApplicationName {
  /** The `<id>` in the application's URLs. */
  readonly id: string;
  readonly name: string;
  readonly mode: ClientMode;
}
