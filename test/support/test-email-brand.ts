import { createEmailBrand } from '../../src/config/email-brand.ts';

/** The brand in the e-mails of a server whose operator set only the name. */
export const TEST_EMAIL_BRAND = createEmailBrand({ brandName: '⟦brand⟧', brandColor: null, brandLogo: null })();
