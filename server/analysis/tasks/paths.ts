import { patternOf } from '../../../src/regex/pattern.ts'
import { SvcError } from '../../../src/errors.ts'
import { onlyOne, type Desk } from '../desk.ts'

/** What all questions of one request may take together: about a second. */
const mostSteps = 100_000_000

/**
 * Which lines of a list of paths have a match of a regular expression: 1 or 0 for each of them.
 * @throws SvcError `file-pattern-invalid` where it cannot be read, or where all of them cannot be decided in bounded time
 */
export function run({ regex }: { readonly regex: string }, desk: Desk): Uint8Array {
  const refused = (reason: string) =>
    new SvcError('file-pattern-invalid', { kind: 'regular expression', pattern: regex, reason })
  const pattern = patternOf(regex)
  if (pattern === null) throw refused('it is not one of ECMAScript')
  const { text, bytesOf } = onlyOne(desk)
  const paths = new TextDecoder().decode(bytesOf(text)).split('\0')
  const steps = { left: mostSteps }
  const matches = new Uint8Array(paths.length)
  for (const [at, path] of paths.entries()) {
    desk.pace(() => [])
    const answer = pattern.test(path, steps)
    if (answer === null)
      throw refused(`it takes too long on the ${paths.length} paths of the branch; use a simpler one, or a glob`)
    if (answer) matches[at] = 1
  }
  return matches
}
