import { visibleJson } from './escape.ts'

const itemsAtOnce = 64
const pieceCharacters = 256 * 1024

/**
 * The text of an object as JSON, indented by two spaces and with a line feed at its end, in pieces of about 256 K characters:
 * so a writer never holds the whole text. Together they equal the result of `JSON.stringify` with steering characters as escapes; only the items of a
 * list of the object itself are separated, so one item is always one piece.
 */
export function* jsonPieces(value: object): Generator<string> {
  let piece = ''
  for (const part of parts(value)) {
    piece += visibleJson(part)
    if (piece.length < pieceCharacters) continue
    yield piece
    piece = ''
  }
  yield `${piece}\n`
}

function* parts(value: object): Generator<string> {
  const members = (Object.entries(value) as [string, unknown][]).filter(([, it]) => it !== undefined)
  if (members.length === 0) yield '{}'
  for (const [at, [key, it]] of members.entries()) {
    yield at === 0 ? '{\n' : ',\n'
    if (Array.isArray(it) && it.length > itemsAtOnce) yield* listParts(key, it)
    else yield JSON.stringify({ [key]: it }, null, 2).slice('{\n'.length, -'\n}'.length)
  }
  if (members.length > 0) yield '\n}'
}

function* listParts(key: string, items: readonly unknown[]): Generator<string> {
  yield `  ${JSON.stringify(key)}: [`
  for (let at = 0; at < items.length; at += itemsAtOnce) {
    const lines = JSON.stringify({ '': items.slice(at, at + itemsAtOnce) }, null, 2)
    yield (at === 0 ? '' : ',') + lines.slice('{\n  "": ['.length, -'\n  ]\n}'.length)
  }
  yield '\n  ]'
}
