import { PageError } from '../page-error.ts';
import type { RequestContext } from '../state.ts';

/** Longer than any name, id or time that there is. */
const MOST_CHARACTERS = 300;

/** The fields of an address; what a form leaves empty was not asked for. */
export interface Query {
  /** @throws PageError 400 it is there more than once, or too long */
  text(name: string): string | undefined;
  /** Of a field that may repeat. @throws PageError 400 one is too long */
  list(name: string): readonly string[];
}

export function queryOf(ctx: RequestContext): Query {
  const fields = new URLSearchParams(ctx.querystring);
  const list = (name: string): readonly string[] => {
    const given = fields.getAll(name).map((text) => text.trim()).filter((text) => text !== '');
    if (given.some(({ length }) => length > MOST_CHARACTERS)) throw unreadable(`${name} is longer than ${MOST_CHARACTERS} characters.`);
    return given;
  };
  return {
    list,
    text(name) {
      const [text, ...more] = list(name);
      if (more.length > 0) throw unreadable(`${name} is in it more than once.`);
      return text;
    },
  };
}

/** A position in an address; undefined when it is not given. @throws PageError 400 it is not a whole number */
export function positionIn(query: Query, name: string): number | undefined {
  const text = query.text(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw unreadable(`${name} is not a position: those are whole numbers.`);
  return Number(text);
}

function unreadable(message: string): PageError {
  return new PageError(400, 'The address could not be read', message, 'Check the address, or begin again from the page itself.');
}
