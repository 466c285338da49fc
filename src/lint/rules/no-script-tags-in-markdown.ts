import pattern from '../functions/pattern.ts'
import { rewriteText } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

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

export default rule({
  origin: 'spectral',
  description: 'Descriptions and titles contain no <script> tags.',
  message: 'Markdown descriptions must not have "<script>" tags.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$..[description,title]'],
  then: [{ run: pattern, options: { notMatch: '<script' } }],
  fix: rewriteText('Remove the script', (text) => withoutScripts(text).trim()),
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#rich-text-formatting',
  help: {
    why: 'Documentation generated from the description would run the script.',
    bad: `
openapi: 3.1.0
info: { description: 'Pets <script>alert(1)</script>' }
`,
    good: `
openapi: 3.1.0
info: { description: Pets }
`,
    remedy: 'Remove the script.',
  },
})
