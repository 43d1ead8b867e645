import type { Client } from '../../projections/clients.ts';
import { presentationOf } from './applications/presentation.ts';

/** The picture next to an application's name. */
export interface ApplicationMark {
  /** The URL of the application's logo; null if it has none. */
  readonly logoUrl: string | null;
  /** Shown instead of a logo: the first letter or digit of the name, or `?` if the name has neither. */
  readonly initial: string;
  /** The number of the stylesheet class that sets the color behind the initial. */
  readonly hue: number;
}

const HUES = 6;

/**
 * Returns an application's mark. The color is derived from the client id, so it does not change when the application is
 * renamed.
 */
export function applicationMark(client: Pick<Client, 'clientId' | 'name' | 'presentation' | 'logo'>): ApplicationMark {
  const { clientId, name } = client;
  const sum = Buffer.from(clientId).reduce((total, byte) => total + byte, 0);
  const initial = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? '?';
  return { logoUrl: presentationOf(client).logoUrl, initial: initial.toUpperCase(), hue: sum % HUES };
}
