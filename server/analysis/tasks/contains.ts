import { asSchema, type Contained, type ContainedDialect, decideContained } from '../../../src/diff/contains.ts'
import type { Document } from '../../../src/document/document.ts'
import { both, type Desk } from '../desk.ts'
import { assertReadable } from './readable.ts'

/**
 * Decides whether one JSON Schema contains another.
 * @throws SvcError `document-invalid` for one that cannot be read, `usage` for one that is not a JSON Schema
 */
export function run({ dialect }: { readonly dialect: ContainedDialect }, desk: Desk): Contained {
  const [inner, outer] = both(desk).map((it) => {
    const document = desk.engine.document(it)
    assertReadable(document)
    return asSchema(document, dialect)
  }) as [Document, Document]
  return decideContained(inner, outer)
}
