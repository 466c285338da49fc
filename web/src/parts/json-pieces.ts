// Characters that are written at once: a few milliseconds of work, after which the page continues.
const atOnce = 400_000

const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** The JSON of a value in pieces, of which those of long strings are cut as well. */
function* piecesOf(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.length > atOnce) {
    yield '"'
    // A pair of surrogates that is cut is written as two escapes, which are read as the pair again.
    for (let at = 0; at < value.length; at += atOnce) yield JSON.stringify(value.slice(at, at + atOnce)).slice(1, -1)
    yield '"'
  } else if (Array.isArray(value)) {
    yield '['
    for (const [index, one] of value.entries()) {
      if (index > 0) yield ','
      yield* piecesOf(one)
    }
    yield ']'
  } else if (typeof value === 'object' && value !== null) {
    yield '{'
    let isFirst = true
    for (const [name, one] of Object.entries(value)) {
      if (one === undefined) continue
      yield `${isFirst ? '' : ','}${JSON.stringify(name)}:`
      isFirst = false
      yield* piecesOf(one)
    }
    yield '}'
  } else yield JSON.stringify(value) ?? 'null'
}

/** What `JSON.stringify` writes, as bytes, without holding up the page: for bodies that carry documents. */
export async function jsonInPieces(value: unknown): Promise<Blob> {
  const parts: Blob[] = []
  let text = ''
  for (const piece of piecesOf(value)) {
    text += piece
    if (text.length < atOnce) continue
    parts.push(new Blob([text]))
    text = ''
    await rest()
  }
  return new Blob([...parts, text], { type: 'application/json' })
}
