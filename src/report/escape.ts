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

/** Text as a Markdown code span, fenced by more backticks than it holds; `|` is escaped for use in tables. */
export function codeSpan(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((run) => run[0].length))
  const fence = '`'.repeat(longest + 1)
  const padded = line.startsWith('`') || line.endsWith('`') || line === '' ? ` ${line} ` : line
  return `${fence}${padded}${fence}`
}
