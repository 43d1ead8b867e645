/** A server-sent event of the log: its position and its line. */
export interface ServerSentEvent {
  readonly id: number;
  readonly data: string;
}

export interface EventReader {
  readonly response: Response;
  /** Returns the next event, or undefined if the stream has ended. */
  next(): Promise<ServerSentEvent | undefined>;
  /** Returns the events up to and including the first one that `isLast` accepts, or up to the end of the stream. */
  readUntil(isLast: (event: ServerSentEvent) => boolean): Promise<readonly ServerSentEvent[]>;
  /** Returns all events that are complete within the first `bytes` of the response. An incomplete event is omitted. */
  readWithin(bytes: number): Promise<readonly ServerSentEvent[]>;
  /** Disconnects, even in the middle of an event. */
  disconnect(): void;
}

const FIELDS = /^id: (\d+)\ndata: (.*)$/;

/** Reads `GET /o/events/` live, as an EventSource with a bearer token would. */
export async function readEvents(
  origin: string,
  token: string,
  from: { readonly lastEventId?: number; readonly query?: string } = {},
): Promise<EventReader> {
  const abortController = new AbortController();
  const headers = new Headers({ authorization: `Bearer ${token}`, accept: 'text/event-stream' });
  if (from.lastEventId !== undefined) headers.set('last-event-id', String(from.lastEventId));
  const response = await fetch(new URL(`/o/events/${from.query ?? ''}`, origin), {
    headers,
    signal: abortController.signal,
  });
  const body = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let readLength = 0;

  async function readMore(): Promise<boolean> {
    const { done = true, value = '' } = (await body?.read()) ?? {};
    text += value;
    readLength += value.length;
    return !done;
  }

  function takeEvent(): ServerSentEvent | undefined {
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, id, data] = FIELDS.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (id !== undefined && data !== undefined) return { id: Number(id), data };
    }
    return undefined;
  }

  async function next(): Promise<ServerSentEvent | undefined> {
    for (;;) {
      const event = takeEvent();
      if (event !== undefined) return event;
      if (!(await readMore())) return undefined;
    }
  }

  return {
    response,
    next,
    disconnect: () => abortController.abort(),

    async readUntil(isLast) {
      const events: ServerSentEvent[] = [];
      for (let event = await next(); event !== undefined; event = await next()) {
        events.push(event);
        if (isLast(event)) break;
      }
      return events;
    },

    async readWithin(bytes) {
      while (readLength < bytes && (await readMore())) {
        /* read on */
      }
      text = text.slice(0, Math.max(0, text.length - Math.max(0, readLength - bytes)));
      const events: ServerSentEvent[] = [];
      for (let event = takeEvent(); event !== undefined; event = takeEvent()) events.push(event);
      return events;
    },
  };
}
