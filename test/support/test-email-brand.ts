import { createEmailBrand } from '../../src/config/email-brand.ts';

/** The brand in e-mails from a server where the operator has set only the name. */
export const TEST_EMAIL_BRAND = createEmailBrand({ brandName: '⟦brand⟧', brandColor: null, brandLogo: null })();
