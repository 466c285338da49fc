import pattern from '../functions/pattern.ts'
import { rewriteText } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'No description or title holds a script element.',
  message: 'Markdown descriptions must not have "<script>" tags.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$..[description,title]'],
  then: [{ run: pattern, options: { notMatch: '<script' } }],
  fix: rewriteText('Remove the script', (text) =>
    text.replaceAll(/<script\b[^>]*>[^]*?(?:<\/script\s*>|$)/gi, '').trim(),
  ),
})
