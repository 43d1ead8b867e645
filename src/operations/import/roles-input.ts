import { z } from 'zod';
import { ROLES } from '../../domain/events.ts';

/** The roles of a user, as input. A role that is listed twice counts once. */
export const rolesInput = z.array(z.enum(ROLES)).transform((listed) => [...new Set(listed)]);
