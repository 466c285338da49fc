/** What may be reported about a text: the kinds of its characters, never the characters. */

const longestShape = 64
/** Longer values are looked at up to here: runs collapse, so that more adds nothing but time. */
const longestLooked = 4096

/** The sign that replaces a character. ASCII punctuation is kept. */
function signOf(character: string): string {
  if (/\p{Lu}/u.test(character)) return 'A'
  if (/\p{L}|\p{M}/u.test(character)) return 'a'
  if (/\p{N}/u.test(character)) return '0'
  if (/[!-/:-@[-`{-~]/.test(character)) return character
  return /\s/u.test(character) ? ' ' : '?'
}

/**
 * The shape of a value: letters become "a" or "A", digits "0", runs of one sign are collapsed, punctuation of ASCII is kept.
 * "O'Brien 42" has the shape "A'Aa 0".
 * @returns at most 64 characters
 */
export function shapeOf(value: string): string {
  let shape = ''
  let last = ''
  for (const character of value.slice(0, longestLooked)) {
    const sign = signOf(character)
    if (sign === last) continue
    shape += sign
    last = sign
    if (shape.length >= longestShape) break
  }
  return shape
}

/** One word of a name, with at most two digits: "user", "Id", "URL", "line2". */
const word = /^(?:[A-Z]?[a-z]{1,20}|[A-Z]{1,8})\d{0,2}$/

/**
 * Whether a text may be the name that a developer gave to a property or parameter: "q", "petId", "page[size]", "address_line2". What has
 * many digits, changes between small and capital letters as tokens do, or is long, may be a value and is left out.
 */
export function isPlainName(text: string): boolean {
  if (text.length > 48 || !/^[$@]?[A-Za-z]/.test(text)) return false
  const parts = text.replace(/^[$@]/, '').split(/(?<=[a-z])(?=[A-Z])|[._-]|\[\]?|\]\[|\]$/)
  const words = parts.filter((it) => it !== '')
  return (
    words.length <= 6 &&
    words.every((it) => word.test(it)) &&
    (words.length === 1 || words.join('').length >= words.length * 2)
  )
}

const longestPath = 200

/**
 * A path without its query, in which every segment that may be a value is "{id}".
 * @param known segments of the document's own paths, which are kept as they are
 * @returns at most 200 characters, cut at a segment
 */
export function pathShapeOf(path: string, known: ReadonlySet<string> = new Set()): string {
  const [bare = ''] = path.split(/[?#]/, 1)
  let shape = ''
  for (const segment of bare.split('/').slice(1, 64)) {
    const told = segment === '' || known.has(segment) || isWord(segment) ? segment : '{id}'
    if (shape.length + told.length + 1 > longestPath) break
    shape += `/${told}`
  }
  return shape === '' ? '/' : shape
}

/** What names an operation: a small word, a version as "v1", or a file of such a name as "login.php". */
const isWord = (segment: string): boolean =>
  /^v\d{1,2}$/.test(segment) || /^[a-z]{1,20}(?:[_-][a-z]{1,20}){0,3}(?:\.[a-z]{1,4})?$/.test(segment)
