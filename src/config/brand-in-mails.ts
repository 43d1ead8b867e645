import { DEFAULT_ACCENT, readableColor, schemeColors, type HexColor } from './brand-colors.ts';
import { logoIn } from './brand-logo.ts';

/** The settings are read for each e-mail, because they can change while the server runs. */
interface BrandSettings {
  readonly brandName: string;
  readonly brandColor: HexColor | null;
  readonly brandLogo: string | null;
}

/** Returns a function that derives the brand of e-mails from the current settings. */
export function createBrandInMails(settings: BrandSettings) {
  let cached: { readonly url: string; readonly logo: ReturnType<typeof logoIn> } | undefined;

  /** Returns the same object until the setting changes, so that waiting e-mails share one image. */
  function logo(url: string): ReturnType<typeof logoIn> {
    if (cached?.url !== url) cached = { url, logo: logoIn(url) };
    return cached.logo;
  }

  return () => {
    const { brandName, brandColor, brandLogo } = settings;
    // An earlier release may have accepted a color that is not readable.
    const readable = readableColor(brandColor ?? DEFAULT_ACCENT, 'light');
    const { accent, onAccent } = schemeColors(readable, 'light');
    const image = brandLogo === null ? undefined : logo(brandLogo);
    return { name: brandName, colors: { accent, onAccent }, logo: image ?? null };
  };
}
