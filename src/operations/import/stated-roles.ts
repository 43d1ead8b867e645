import { z } from 'zod';
import { ROLES } from '../../domain/events.ts';

/** The roles of a user. A role that is stated twice counts once. */
export const statedRoles = z.array(z.enum(ROLES)).transform((stated) => [...new Set(stated)]);
