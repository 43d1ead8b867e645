import type { Presentation } from '../../../domain/presentation.ts';
import type { Client } from '../../../projections/clients.ts';
import { applicationPath } from './application-page.ts';

/** How pages present an application to users. Each member is null if the application does not have it. */
export interface PresentationLocals extends Presentation {
  /** The URL of the logo. A new logo has a new URL, so browsers may keep the image. */
  readonly logoUrl: string | null;
}

/** Returns the presentation of an application, for the pages that show it. */
export function presentationOf(client: Pick<Client, 'clientId' | 'presentation' | 'logo'>): PresentationLocals {
  const { presentation, logo } = client;
  return { ...presentation, logoUrl: logo === null ? null : `${applicationPath(client)}logo/?v=${logo.position}` };
}
