import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { ObservationFailed } from './failure.ts'
import type { Recorder } from './recorder.ts'

/** An event as a stream carries it. */
const written = (event: string | undefined, data: string): Uint8Array =>
  new TextEncoder().encode(`${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`)

/**
 * An event stream without what the client has no use for: requests and notifications of the server, ids and delays for
 * reconnecting. It fails where the stream breaks a limit.
 */
export function filteredEvents(
  body: ReadableStream<Uint8Array>,
  recorder: Recorder,
  explain: (recorder: Recorder, error: unknown) => ObservationFailed,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const ready: Uint8Array[] = []
  const take = ({ event, data }: EventSourceMessage): void => {
    // The older transport says where messages are to be sent; where that is is checked when they are.
    if (event === 'endpoint') ready.push(written(event, data.replaceAll(/[\r\n]/g, '')))
    // An event without data only carries an id.
    else if ((event === undefined || event === 'message') && data !== '')
      for (const message of recorder.read(data)) ready.push(written(undefined, JSON.stringify(message)))
  }
  const parser = createParser({ onEvent: take })
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          while (ready.length === 0) {
            const { done, value } = await reader.read()
            if (done) return controller.close()
            recorder.count(value.byteLength)
            parser.feed(decoder.decode(value, { stream: true }))
          }
          for (const chunk of ready.splice(0)) controller.enqueue(chunk)
        } catch (error) {
          await reader.cancel().catch(() => {})
          controller.error(explain(recorder, error))
        }
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  )
}
