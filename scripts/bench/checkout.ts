import { fileURLToPath } from 'node:url';

/** The root of the project. */
export const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
