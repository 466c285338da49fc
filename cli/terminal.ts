/** The one place where text becomes what a terminal or a log is given: nothing that a document says steers it. */
import { visible } from '../src/report/escape.ts'

/** Colours, and nothing else that a terminal obeys (ECMA-48, SGR). */
// oxlint-disable-next-line no-control-regex -- controls are what is looked for
const colours = /(\u001b\[(?:\d{1,3}(?:;\d{1,3})*)?m)/

/**
 * Text as people read it: control characters, marks of direction and commands of pipelines are shown instead of obeyed.
 * @param colour whether the stream takes colours; theirs are the only sequences that stay
 */
export const forPeople = (text: string, colour: boolean): string =>
  colour
    ? text
        .split(colours)
        .map((part, index) => (index % 2 === 1 ? part : visible(part)))
        .join('')
    : visible(text)

/**
 * Makes what is written to a terminal of what a command writes; a file and a pipe get the same bytes as ever.
 */
export const terminalWriter = (colour: boolean): ((chunk: string | Uint8Array) => string) => {
  const decoder = new TextDecoder()
  return (chunk) => forPeople(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }), colour)
}
