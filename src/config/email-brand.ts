import { DEFAULT_ACCENT, readableColor, schemeColors, type HexColor } from './brand-colors.ts';
import { readLogoUrl } from './brand-logo.ts';

/** The settings for the brand. They are read for each e-mail, because they can change while the server runs. */
interface BrandSettings {
  readonly brandName: string;
  readonly brandColor: HexColor | null;
  readonly brandLogo: string | null;
}

/** Returns a function that derives the brand of e-mails from the current settings. */
export function createEmailBrand(settings: BrandSettings) {
  let cachedLogo: { readonly url: string; readonly logo: ReturnType<typeof readLogoUrl> } | undefined;

  /** Returns the same object until the setting changes, so that queued e-mails share one image. */
  function readCachedLogo(url: string): ReturnType<typeof readLogoUrl> {
    if (cachedLogo?.url !== url) cachedLogo = { url, logo: readLogoUrl(url) };
    return cachedLogo.logo;
  }

  return () => {
    const { brandName, brandColor, brandLogo } = settings;
    // An earlier release may have accepted a color that is not readable.
    const accentColor = readableColor(brandColor ?? DEFAULT_ACCENT, 'light');
    const { accent, onAccent } = schemeColors(accentColor, 'light');
    const image = brandLogo === null ? undefined : readCachedLogo(brandLogo);
    return { name: brandName, colors: { accent, onAccent }, logo: image ?? null };
  };
}
