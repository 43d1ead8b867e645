import { createBrandInMails } from '../../src/config/brand-in-mails.ts';

/** The brand in the e-mails of a server whose operator set only the name. */
export const TEST_EMAIL_BRAND = createBrandInMails({ brandName: '⟦brand⟧', brandColor: null, brandLogo: null })();
