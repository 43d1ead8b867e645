import { DEFAULT_ACCENT, readableColor, schemeColors, type HexColor } from './brand-colors.ts';
import { logoIn } from './brand-logo.ts';

/** Read for each mail, because they can change while the server runs. */
interface BrandSettings {
  readonly brandName: string;
  readonly brandColor: HexColor | null;
  readonly brandLogo: string | null;
}

/** Returns a function that derives what mails show from the current settings. */
export function createBrandInMails(settings: BrandSettings) {
  let newest: { readonly url: string; readonly logo: ReturnType<typeof logoIn> } | undefined;

  /** The same object until the setting changes, so that mails which wait share one image. */
  function logo(url: string): ReturnType<typeof logoIn> {
    if (newest?.url !== url) newest = { url, logo: logoIn(url) };
    return newest.logo;
  }

  return () => {
    const { brandName, brandColor, brandLogo } = settings;
    // an earlier release may have accepted a color that is not readable
    const readable = readableColor(brandColor ?? DEFAULT_ACCENT, 'light');
    const { accent, onAccent } = schemeColors(readable, 'light');
    const shown = brandLogo === null ? undefined : logo(brandLogo);
    return { name: brandName, colors: { accent, onAccent }, logo: shown ?? null };
  };
}
