/** The amount of random traffic in the model tests. The duration is proportional to it. */
export const RUNS = 30;
/** The maximum number of commands in a run. */
export const MAX_COMMANDS = 80;
