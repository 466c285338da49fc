/**
 * Characters that steer a terminal or the order in which text is shown, so that a reader sees something else than what is
 * there: control characters (C0 and C1), and those of the bidirectional algorithm (Unicode UAX #9, section 2).
 */
const steering = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/** What runners of pipelines obey: "::error::" and the like at the beginning of a line (GitHub), "##[…]", "##vso[…]" (Azure), "##teamcity[…]". */
const commandStart = /^([^\S\n]*):(?=:[a-z])/gim
const commandMark = /##(?=(?:vso|teamcity)?\[)/gi

/**
 * Text that steers nothing and can be encoded: steering characters but line breaks and tabs, and halves of characters, become U+FFFD;
 * commands of pipelines get a space within.
 */
export const visible = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(steering, (c) => (c === '\n' || c === '\t' ? c : '\uFFFD'))
    .replaceAll(commandStart, '$1: ')
    .replaceAll(commandMark, '# #')

/** The same in one line: line breaks become spaces. */
export const oneLine = (text: string): string =>
  visible(text.replaceAll(/\s*[\r\n]\s*/g, ' ')).replaceAll('\t', '\uFFFD')

/** JSON with its steering characters as escapes (RFC 8259, section 7): the values stay what they are. */
export const visibleJson = (json: string): string =>
  json.replaceAll(
    /[\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Text for XML and HTML, in content and in double-quoted attributes; characters that XML 1.0 has no way to write become U+FFFD. */
export const escapeMarkup = (text: string): string =>
  visible(text)
    .replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** Text for a line of Markdown, where it must not begin or close any markup. */
export const escapeMarkdown = (text: string): string =>
  visible(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_{}[\]<>|#~]/g, (c) => (c === '<' ? '&lt;' : `\\${c}`))

/** Text as a Markdown code span, fenced by more backticks than it holds. */
export function inlineCode(text: string): string {
  const line = visible(text).replaceAll(/\s+/g, ' ')
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((run) => run[0].length))
  const fence = '`'.repeat(longest + 1)
  const padded = line.startsWith('`') || line.endsWith('`') || line === '' ? ` ${line} ` : line
  return `${fence}${padded}${fence}`
}

/** The same for a cell of a table, where `|` is escaped. */
export const codeSpan = (text: string): string => inlineCode(text.replaceAll('|', '\\|'))

/**
 * A sentence whose names are in code spans already, as a line of Markdown: outside of them nothing becomes markup, a link, an
 * image or a mention.
 */
export const escapeSentence = (text: string): string =>
  visible(text)
    .replaceAll(/\s+/g, ' ')
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(/[<>[`]|@(?=\w)/g, (c) => {
            if (c === '<') return '&lt;'
            if (c === '>') return '&gt;'
            return c === '@' ? '@\u200B' : `\\${c}`
          }),
    )
    .join('')

/** Attributes of an element of markup, each behind a space; line breaks and tabs become spaces. */
export const attributesOf = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeMarkup(String(value)).replaceAll(/[\n\r\t]/g, ' ')}"`)
    .join('')
