const number =
  /^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const infinite = /^([-+]?)\.inf$/i

const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
}

// Line breaks inside quotes fold to a space, empty lines stay breaks (YAML 1.2.2, 7.3).
const fold = (text: string): string =>
  text.replaceAll(/[ \t]*\r?\n(?:[ \t]*\r?\n)*[ \t]*/g, (broken) => {
    const breaks = broken.split('\n').length - 1
    return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)
  })

const readDouble = (inner: string): string =>
  (inner.includes('\n') ? fold(inner.replaceAll(/\\\r?\n[ \t]*/g, '')) : inner).replaceAll(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g,
    (whole: string, x?: string, u?: string, long?: string, one?: string) => {
      const digits = x ?? u ?? long
      if (digits === undefined) return escapes[one ?? ''] ?? whole
      const point = Number.parseInt(digits, 16)
      return point > 0x10ffff ? whole : String.fromCodePoint(point)
    },
  )

/** The name of a property whose YAML key is an unquoted scalar: null, booleans and numbers are spelled as JavaScript does. */
const readPlain = (text: string): string => {
  const first = text.charCodeAt(0)
  if (text === '' || text === '~' || text === 'null' || text === 'Null' || text === 'NULL') return 'null'
  if (text === 'True' || text === 'TRUE') return 'true'
  if (text === 'False' || text === 'FALSE') return 'false'
  // Only a digit, a sign or a dot begins a number.
  if (first > 57 || first < 43 || first === 44 || first === 47 || !number.test(text)) return text
  const sign = infinite.exec(text)
  if (sign !== null) return sign[1] === '-' ? '-Infinity' : 'Infinity'
  return String(Number(text))
}

/** The property name that a YAML key becomes, from the stretch of text that holds the scalar, quotes included. */
export const readYamlKey = (text: string, start: number, end: number): string => {
  const first = text.charCodeAt(start)
  if (first === 34) {
    const inner = text.slice(start + 1, end - 1)
    return inner.includes('\\') || inner.includes('\n') ? readDouble(inner) : inner
  }
  if (first === 39) {
    const inner = text.slice(start + 1, end - 1).replaceAll("''", "'")
    return inner.includes('\n') ? fold(inner) : inner
  }
  const plain = text.slice(start, end)
  return readPlain(plain.includes('\n') ? fold(plain) : plain)
}
