/** Text for XML and HTML, in content and in double-quoted attributes; characters that XML 1.0 has no way to write become U+FFFD. */
export const escapeMarkup = (text: string): string =>
  text
    .replaceAll(/\p{Cc}|[\uFFFE\uFFFF]|\p{Cs}/gu, (c) => (c === '\t' || c === '\n' || c === '\r' ? c : '\uFFFD'))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** Text for a line of Markdown, where it must not begin or close any markup. */
export const escapeMarkdown = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>|#~]/g, (c) => (c === '<' ? '&lt;' : `\\${c}`))

/** Text that steers nothing and can be encoded: control characters but line breaks, and halves of characters, become U+FFFD. */
export const visible = (text: string): string =>
  text.toWellFormed().replaceAll(/\p{Cc}/gu, (c) => (c === '\n' || c === '\r' || c === '\t' ? c : '\uFFFD'))

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
        : part.replaceAll(/[<>[`]|@(?=\w)/g, (c) =>
            c === '<' ? '&lt;' : c === '>' ? '&gt;' : c === '@' ? '@\u200B' : `\\${c}`,
          ),
    )
    .join('')
