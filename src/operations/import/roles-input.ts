import { z } from 'zod';
import { ROLES } from '../../domain/events.ts';

/** A user's roles, as input. Duplicates are removed. */
export const rolesInput = z.array(z.enum(ROLES)).transform((roles) => [...new Set(roles)]);
