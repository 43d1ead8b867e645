import type { Presentation } from '../../../domain/presentation.ts';
import type { Client } from '../../../projections/clients.ts';
import { applicationPath } from './application-page.ts';

/** An application as pages present it to users. A member is null if the application does not provide it. */
export interface PresentationLocals extends Presentation {
  /** The URL of the logo. A new logo has a new URL, so browsers may cache the image. */
  readonly logoUrl: string | null;
}

/** Returns an application's presentation for pages. */
export function presentationOf(client: Pick<Client, 'clientId' | 'presentation' | 'logo'>): PresentationLocals {
  const { presentation, logo } = client;
  return { ...presentation, logoUrl: logo === null ? null : `${applicationPath(client)}logo/?v=${logo.position}` };
}
