import type { Document } from '../../../src/document/document.ts'
import { SvcError } from '../../../src/errors.ts'

/**
 * What is stored was read before; what was sent along may be anything.
 * @throws SvcError `document-invalid` with the place of its first error
 */
export function assertReadable({ problems, source }: Document): void {
  const error = problems.find((it) => it.severity === 'error')
  if (error === undefined) return
  const { line, character } = error.range.start
  throw new SvcError('document-invalid', { reason: `${source}:${line + 1}:${character + 1}: ${error.message}` })
}
