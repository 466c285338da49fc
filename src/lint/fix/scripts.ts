import { rewriteText } from './fixers.ts'

/** A text without its scripts, in one pass; a script without an end goes to the end of the text. */
function withoutScripts(text: string): string {
  const [begin, end] = [/<script\b/gi, /<\/script\s*>/gi]
  let kept = ''
  let from = 0
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    const tagEnd = text.indexOf('>', begin.lastIndex)
    if (tagEnd === -1) break
    kept += text.slice(from, found.index)
    end.lastIndex = tagEnd + 1
    if (end.exec(text) === null) return kept
    from = begin.lastIndex = end.lastIndex
  }
  return kept + text.slice(from)
}

/** Takes the scripts out of a text. */
export const removeScripts = rewriteText('Remove the script', (text) => withoutScripts(text).trim())
