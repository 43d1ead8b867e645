/** How much random traffic the model tests drive; ten times as much takes ten times as long. */
export const RUNS = 60;
/** The longest sequence of commands in a run. */
export const MAX_COMMANDS = 120;
