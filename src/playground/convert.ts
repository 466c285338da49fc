/** `svc convert`, `svc bundle` and `svc lint --fix` for texts. */
import { convertDocument, isConvertible, type Target, targets } from '../convert/convert.ts'
import { isLoss } from '../convert/losses.ts'
import { type Syntax, writeChanged } from '../convert/text.ts'
import { parseDocument } from '../document/parse.ts'
import { SvcError } from '../errors.ts'
import { isBundled } from '../import/bundle/written.ts'
import { assertReadable, type PastedFile, readWhole } from './files.ts'

/** Whether a word names what documents can be converted to. */
export const isTarget = (word: string): word is Target => (targets as readonly string[]).includes(word)

/** A text that was made, and what of its source it cannot say. */
export interface Made {
  readonly text: string
  readonly notes: readonly {
    readonly code: string
    readonly message: string
    readonly line: number
    readonly loss: boolean
  }[]
}

/**
 * A text as another version or format.
 * @throws SvcError `document-invalid` for what cannot be read or has a format that svc does not convert
 */
export function convertText(file: PastedFile, to: Target, syntax?: Syntax): Made {
  const document = parseDocument(file.text, { source: file.name })
  assertReadable(document)
  if (!isConvertible(document))
    throw new SvcError('document-invalid', {
      reason: 'svc converts OpenAPI 3.0 to 3.2, Swagger 2.0 and JSON Schema; this is none of them',
    })
  const { value, notes } = convertDocument(document, to)
  return {
    text: writeChanged(document, value, syntax ?? document.syntax).text,
    notes: notes.map(({ code, message, range }) => ({ code, message, line: range.start.line + 1, loss: isLoss(code) })),
  }
}

/**
 * Several texts as one: the first, and all that it refers to.
 * @throws SvcError `document-invalid` for what cannot be read
 */
export function bundleTexts(first: PastedFile, others: readonly PastedFile[]): Made {
  const document = readWhole(first, others)
  const [entry = document] = isBundled(document) ? document.files : []
  return { text: writeChanged(entry, document.value, entry.syntax, document.exactValue()).text, notes: [] }
}
