/** The maximum number of commands in a random run. */
export const MAX_COMMANDS = 80;
